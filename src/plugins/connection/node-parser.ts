import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/*
 * How Node's HTTP parser is made to stop between two requests, for which Node has no public name. If a version of Node
 * drops one of these names, the service still runs, and all that has arrived is parsed at once; the tests of its
 * connections fail.
 */

interface Parser {
  constructor: { kOnExecute?: number }
  incoming: IncomingMessage | null
  onIncoming?: ((request: IncomingMessage, keepAlive: boolean) => number) | undefined
  execute?: (bytes: Buffer) => number | Error
  getCurrentBuffer?: () => Buffer
  [callback: number]: ((parsed: number | Error) => void) | undefined
}

type ServerSocket = Socket & { parser?: Parser | null; _paused?: boolean }

/** Tells the parser that what follows a request is not HTTP: it stops there. */
const STOP = 2
/** A request that nobody sees: the parser reports no fault of what follows a stop until it has read a whole request. */
const UNSEEN = Buffer.from('GET / HTTP/1.1\r\n\r\n')

/** What has arrived of a connection, and is not parsed before Node reads the connection again. */
const unparsed = new WeakMap<Socket, Buffer>()

/** The connections that are parsed no further than they are read. */
const bounded = new WeakSet<Socket>()

/** Gives how many bytes of a connection have arrived and are not parsed yet. */
export function unparsedBytes (socket: Socket): number {
  return unparsed.get(socket)?.length ?? 0
}

/**
 * Lets no more of a connection be parsed than Node would read: Node stops to read a connection that has too much to
 * send, but parses all that it has read by then, which may be thousands of requests. It stops behind a request without
 * a body.
 */
export function parseNoMoreThanRead (socket: ServerSocket): void {
  if (bounded.has(socket)) return
  bounded.add(socket)
  const { parser } = socket
  if (!parser?.onIncoming || !parser.execute || !parser.getCurrentBuffer) return
  const { onIncoming } = parser
  const { kOnExecute = NaN } = parser.constructor
  const { [kOnExecute]: onExecute } = parser
  if (!onExecute) return
  let isStopped = false

  parser.onIncoming = (request, keepAlive) => {
    const verdict = onIncoming(request, keepAlive)
    isStopped = verdict === 0 && socket._paused === true && !hasBody(request)
    return isStopped ? STOP : verdict
  }
  const keepRest = (bytes: Buffer, parsed: number | Error): void => {
    if (isStopped && typeof parsed === 'number') unparsed.set(socket, bytes.subarray(parsed))
  }
  parser[kOnExecute] = (parsed) => {
    if (isStopped) keepRest(parser.getCurrentBuffer!(), parsed)
    onExecute(parsed)
  }
  socket.on('resume', () => {
    if (!isStopped || socket._paused || socket.parser !== parser) return
    const bytes = unparsed.get(socket)
    unparsed.delete(socket)
    isStopped = false
    makeForgetStop(parser)
    if (!bytes?.length) return
    const parsed = parser.execute!(bytes)
    keepRest(bytes, parsed)
    onExecute(parsed)
  })
}

function makeForgetStop (parser: Parser): void {
  const { onIncoming } = parser
  parser.onIncoming = () => 0
  parser.execute!(UNSEEN)
  parser.onIncoming = onIncoming
  parser.incoming = null
}

function hasBody ({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
