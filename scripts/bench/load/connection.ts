import { connect } from 'node:net'

/** A request, and how its answer is told from a wrong one. */
export interface Exchange {
  /** The whole request as it is sent. */
  request: string
  /** Whether an answer is the right one; the body has a character for each byte. */
  isRight(status: number, body: string): boolean
}

/** A connection that sends requests until there are no more. */
export interface Connection {
  ended: Promise<void>
  /** Ends it at once, without waiting for an answer. */
  cut(): void
}

export interface ConnectionEvents {
  /** The next request; undefined ends the connection. */
  next(): Exchange | undefined
  /** A right answer came, so many milliseconds after its request was sent. */
  answered(milliseconds: number): void
  /** A wrong answer came, or none: the connection is over. */
  failed(reason: string): void
}

/**
 * Sends one request after the other over a connection to a port of this machine, each as soon as the one before it is
 * answered. It reads no more of an answer than the status, the length and the body, so that the load costs less than
 * the quickest server: a client that parses all of HTTP takes several times as much, and the server would wait for it.
 */
export function exchange (port: number, { next, answered, failed }: ConnectionEvents): Connection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const ended = new Promise<void>((resolve) => {
    let current: Exchange | undefined
    let sent = 0
    let received = ''
    const send = (): void => {
      current = next()
      if (!current) {
        socket.destroy()
        return
      }
      sent = performance.now()
      socket.write(current.request, 'latin1')
    }
    const fail = (reason: string): void => {
      current = undefined
      socket.destroy()
      failed(reason)
    }
    socket.setEncoding('latin1')
    socket.on('connect', send)
    socket.on('data', (chunk) => {
      received += chunk
      const headEnd = received.indexOf('\r\n\r\n') + 4
      if (headEnd < 4) return
      const end = headEnd + lengthIn(received.slice(0, headEnd))
      if (Number.isNaN(end)) return fail(`an answer without Content-Length: ${received.slice(0, 300)}`)
      if (received.length < end) return
      const [status, body] = [Number(received.slice(9, 12)), received.slice(headEnd, end)]
      if (received.length > end || !current?.isRight(status, body)) return fail(`${status} ${body.slice(0, 300)}`)
      received = ''
      answered(performance.now() - sent)
      send()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (current) failed('the connection ended without an answer')
      resolve()
    })
  })
  return {
    ended,
    cut: () => {
      socket.destroy()
    }
  }
}

/** The Content-Length in a head, in bytes; NaN when there is none. */
function lengthIn (head: string): number {
  return Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1] ?? NaN)
}
