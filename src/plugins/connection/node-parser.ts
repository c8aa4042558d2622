import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/*
 * How Node's HTTP parser is made to stop between two requests and in a body of too many chunks, and to go on behind a
 * request that asks for an upgrade, for which Node has no public name. If a version of Node drops one of these names,
 * the service still runs: all that has arrived is parsed at once, and what has arrived behind a request that asks for
 * an upgrade is lost. The tests of its connections fail.
 */

interface Parser {
  constructor: { kOnExecute?: number; kOnBody?: number }
  incoming: IncomingMessage | null
  onIncoming?: ((request: IncomingMessage & { upgrade?: boolean }, keepAlive: boolean) => number) | undefined
  execute?: (bytes: Buffer) => number | Error
  getCurrentBuffer?: () => Buffer
  [callback: number]: ((parsed: any) => void) | undefined
}

type ServerSocket = Socket & { parser?: Parser | null; _paused?: boolean }

/** Tells the parser that what follows a request is not HTTP: it stops there. */
const STOP = 2
/** A request that nobody sees: the parser reports no fault of what follows a stop until it has read a whole request. */
const UNSEEN = Buffer.from('GET / HTTP/1.1\r\n\r\n')

/** What has arrived of a connection, and is not parsed before Node reads the connection again. */
const unparsed = new WeakMap<Socket, Buffer>()

/** Gives how many bytes of a connection have arrived and are not parsed yet. */
export function unparsedBytes (socket: Socket): number {
  return unparsed.get(socket)?.length ?? 0
}

/**
 * Has every request of a new connection parsed, and none before Node would read it.
 *
 * Node stops to read a connection that has too much to send, but parses all that it has read by then, which may be
 * thousands of requests. Here the parser stops behind a request without a body.
 *
 * The parser stops by itself behind a request that asks for an upgrade (RFC 9110, section 7.8). Where nobody listens to
 * `upgrade`, Node serves such a request as any other, but throws away what has arrived behind it, which may be a part
 * of a body whose other part would be read as a request.
 */
export function parseInTurn (socket: ServerSocket): void {
  const { parser } = socket
  if (!parser?.onIncoming || !parser.execute || !parser.getCurrentBuffer) return
  const { onIncoming } = parser
  const { kOnExecute = NaN } = parser.constructor
  const { [kOnExecute]: onExecute } = parser
  if (!onExecute) return
  let isStopped = false
  /** Whether the parser stops when it has read the newest request whole. */
  let isUpgrade = false

  parser.onIncoming = (request, keepAlive) => {
    isUpgrade = request.upgrade === true && request.method !== 'CONNECT'
    const verdict = onIncoming(request, keepAlive)
    isStopped = verdict === 0 && socket._paused === true && !hasBody(request)
    return isStopped ? STOP : verdict
  }
  /** Keeps what is behind a stop. There is nothing while a body behind which the parser will stop is still arriving. */
  const keepRest = (bytes: Buffer, parsed: number | Error): void => {
    if (typeof parsed !== 'number' || !(isStopped || isUpgrade)) return
    if (parsed < bytes.length) unparsed.set(socket, bytes.subarray(parsed))
  }
  const parseRest = (): void => {
    while ((isStopped || unparsed.has(socket)) && !socket._paused && socket.parser === parser) {
      const bytes = unparsed.get(socket)
      unparsed.delete(socket)
      makeForgetStop(parser)
      isStopped = isUpgrade = false
      if (!bytes) return
      const parsed = parser.execute!(bytes)
      keepRest(bytes, parsed)
      onExecute(parsed)
    }
  }
  parser[kOnExecute] = (parsed) => {
    if (!isStopped && !isUpgrade) return onExecute(parsed)
    keepRest(parser.getCurrentBuffer!(), parsed)
    onExecute(parsed)
    parseRest()
  }
  socket.on('resume', parseRest)
}

/** What Node gives the bytes of a body to. It uses a parser for one connection after the other. */
const originals = new WeakMap<Parser, (bytes: Buffer) => void>()

/** The most chunks of a body, and of all bodies that begin in one read of a connection. */
const MAX_CHUNKS = 200

/**
 * Calls `reject` once a connection sends more than {@link MAX_CHUNKS} chunks, and skips the rest of them. A chunk costs
 * about 2 us, however small it is, and one read (64 KiB) can hold more than 10,000.
 */
export function limitChunks (socket: ServerSocket, reject: (error: Error) => void): void {
  const { parser } = socket
  const { kOnBody = NaN } = parser?.constructor ?? {}
  const onBody = parser && (originals.get(parser) ?? parser[kOnBody])
  if (!parser || !onBody) return
  originals.set(parser, onBody)
  let chunks = 0
  let request: IncomingMessage | null = null
  let read = 0
  const onChunk = (bytes: Buffer): void => {
    const { incoming } = parser
    const isOurs = socket.parser === parser
    if (!isOurs || incoming?.headers['transfer-encoding'] === undefined) return onBody.call(parser, bytes)
    if (incoming !== request && socket.bytesRead !== read) chunks = 0
    request = incoming
    read = socket.bytesRead
    if (++chunks <= MAX_CHUNKS) return onBody.call(parser, bytes)
    parser[kOnBody] = undefined
    reject(Object.assign(new Error('Too many chunks'), { code: 'ERR_TOO_MANY_CHUNKS' }))
  }
  parser[kOnBody] = onChunk
  socket.once('close', () => {
    // Another connection may have it by now, as Node gives a parser back before the end of a CONNECT.
    if (parser[kOnBody] === onChunk || !parser[kOnBody]) parser[kOnBody] = onBody
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
