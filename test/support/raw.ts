import { connect } from 'node:net'

export interface RawReply { status: number, headers: Record<string, string>, body: string, json: any, rest: string }

/** Sends bytes to a port of this machine and gives all that came back until the connection ended or fell silent. */
export function sendRaw (port: number, bytes: string | Uint8Array, { silence = 1_500 } = {}): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => { socket.write(bytes) })
    socket.setEncoding('latin1')
    socket.setTimeout(silence, () => socket.destroy())
    socket.on('data', (chunk) => { received += chunk })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
}

/** The first HTTP answer in a text, and what follows it. */
export function parseReply (text: string): RawReply {
  const end = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
  const length = Number(headers['content-length'] ?? 0)
  const body = text.slice(end + 4, end + 4 + length)
  let json: unknown
  try { json = JSON.parse(body) } catch {}
  return { status: Number(statusLine.split(' ')[1]), headers, body, json, rest: text.slice(end + 4 + length) }
}
