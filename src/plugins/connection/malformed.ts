import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { systemClock } from '../../domain/clock.js'
import { ApiError, type ErrorCode } from '../../domain/errors.js'
import { SECURITY_HEADERS } from '../answer/security-headers.js'
import { nextAnswer, refusedInstead } from './answer-queue.js'

/** The errors for what the parser rejects, by the parser's codes. */
const ERRORS: Record<string, [ErrorCode, message?: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout'],
  HPE_HEADER_OVERFLOW: ['headers_too_large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['payload_too_large'],
  ERR_TOO_MANY_CHUNKS: ['bad_request', 'The request body has too many chunks.']
}
const INVALID: [ErrorCode, string] = ['bad_request', 'The request is not valid HTTP.']

/**
 * Fastify's `clientErrorHandler`: answers bytes that never became a request with an Error body and the headers of every
 * answer, after the answers to the requests before.
 */
export function answerMalformed (this: FastifyInstance, error: ParserError, socket: Socket): void {
  const [code, message] = ERRORS[error.code ?? ''] ?? INVALID
  this.log.debug({ code: error.code, answer: code }, 'not a request')
  if (error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const refusal = new ApiError(code, message)
  const pending = nextAnswer(socket)
  // A client that ends its side within a body has left.
  const hasLeft = error.code === 'HPE_INVALID_EOF_STATE'
  if (pending?.req.complete === false && !hasLeft && !refused.has(socket)) refusedInstead.set(pending, refusal)
  refuse(this, socket, refusal, originOf(error, socket))
}

/** What Node's parser says of bytes that it refuses; `rawPacket` are those in which the fault is. */
type ParserError = Error & { code?: string; rawPacket?: unknown }

/** The origin of the page that sent what the parser refuses, so far as the bytes that have arrived name one. */
function originOf ({ rawPacket }: ParserError, socket: Socket): string | undefined {
  const request = nextAnswer(socket)?.req
  if (request && !request.complete) return request.headers.origin
  const text = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : ''
  return /^origin:[ \t]*(\S+)[ \t]*\r?$/im.exec(text)?.[1]
}

const refused = new WeakSet<Socket>()

/**
 * Writes a whole error answer to a socket, after the answers to the requests before, and closes it; nothing where it is
 * being closed already.
 */
export function refuse (app: FastifyInstance, socket: Socket, error: ApiError, origin?: string): void {
  // Node reports a parse error again with all that arrives after it.
  if (refused.has(socket)) return
  refused.add(socket)
  // Node would close the connection where the client ends its side, behind the earlier answers.
  socket.removeAllListeners('end')
  afterEarlierAnswers(socket, () => {
    if (socket.writable) writeError(app, socket, error, origin)
  })
}

function writeError (app: FastifyInstance, socket: Socket, error: ApiError, origin: string | undefined): void {
  const body = JSON.stringify(error.body)
  const headers = { ...headersOfRefusal(app, error, body, socket.remoteAddress, origin), Connection: 'close' }
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${error.statusCode} ${STATUS_CODES[error.statusCode]}\r\n${fields.join('')}\r\n${body}`)
  socket.destroySoon()
}

/** Gives the headers of an error answer that no plugin had a part in: those of every answer. */
export function headersOfRefusal (
  app: FastifyInstance,
  error: ApiError,
  body: string,
  address: string | undefined,
  origin: string | undefined
): Record<string, string> {
  return {
    ...SECURITY_HEADERS,
    ...app.corsHeadersOf(origin),
    ...app.limitHeadersOf(address),
    ...error.headers,
    'X-Request-Id': randomUUID(),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Date: new Date(systemClock.now()).toUTCString()
  }
}

/** Writes once the answers to the requests before are sent. A request whose body is cut short is owed none. */
function afterEarlierAnswers (socket: Socket, write: () => void): void {
  const earlier = nextAnswer(socket)
  const isOwed = earlier && (earlier.req.complete || earlier.headersSent)
  if (!isOwed) return write()
  earlier.once('finish', () => afterEarlierAnswers(socket, write))
  earlier.once('close', () => {
    if (!earlier.writableFinished) socket.destroy()
  })
}
