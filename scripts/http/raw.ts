import { connect } from 'node:net'

/** An HTTP answer as it was received: `body` in latin1, and `rest`, the bytes that follow it. */
export interface RawReply {
  status: number
  headers: Record<string, string>
  body: string
  json: any
  rest: string
}

/** How long a server may keep a client waiting, in milliseconds, before that is taken for no answer at all. */
const PATIENCE = 10_000

interface Sending {
  /** Milliseconds without a byte after which an answer is taken to be over. */
  silence?: number
  /** Ends the sending side behind the bytes, so that a server sees that nothing more is coming. */
  end?: boolean
  /** Is called for each piece that arrives. */
  onData?: () => void
}

/** Sends bytes to a port of this machine and gives all that came back until the connection ended or fell silent. */
export function sendRaw (
  port: number,
  bytes: string | Uint8Array,
  { silence = 1_500, end = false, onData = () => {} }: Sending = {}
): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes)
      if (end) socket.end()
    })
    socket.setEncoding('latin1')
    socket.setTimeout(PATIENCE, () => socket.destroy())
    socket.on('data', (chunk) => {
      received += chunk
      socket.setTimeout(silence)
      onData()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
}

/** Reads all HTTP answers in a text that came back from {@link sendRaw}. */
export function repliesOf (text: string): RawReply[] {
  const replies: RawReply[] = []
  for (let rest = text; rest !== ''; rest = replies.at(-1)!.rest) replies.push(parseReply(rest))
  return replies
}

/** Reads the first HTTP answer in a text. One to HEAD may tell the length of a body and yet have none. */
export function parseReply (text: string): RawReply {
  const end = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])
  )
  const behind = text.slice(end + 4)
  const length = behind.startsWith('HTTP/1.1 ') ? 0 : Number(headers['content-length'] ?? 0)
  const body = behind.slice(0, length)
  let json: unknown
  try {
    json = JSON.parse(Buffer.from(body, 'latin1').toString())
  } catch {}
  return { status: Number(statusLine.split(' ')[1]), headers, body, json, rest: behind.slice(length) }
}
