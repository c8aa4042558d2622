import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Operation } from '../../contract/index.js'
import { ApiError } from '../../domain/errors.js'
import { headerCount } from '../header-count.js'
import { isHost } from './host.js'
import { refuse } from './malformed.js'
import { MALFORMED_URL } from './routable-url.js'
import { writeTogether } from './turns.js'

/**
 * How long a closed connection is still read, in milliseconds, so that a client which is sending can see why it was
 * refused.
 */
const LINGER = 2_000
/** The same for a server that stops, which waits for that. */
const LINGER_WHILE_STOPPING = 300

export interface ProtocolOptions {
  operations: Operation[]
  /** Set when the process is about to stop. */
  lifecycle: { draining: boolean }
}

/** What HTTP asks of a server and neither Node nor Fastify answers in our form (RFC 9110, RFC 9112). */
export const protocol = fp<ProtocolOptions>(
  async (app, { operations, lifecycle }) => {
    app.addHook('onRequest', ({ raw }, reply, done) => {
      const fault = faultOf(raw)
      // The plugin `cors`, which answers preflights, runs after this one.
      if (fault) reply.headers(app.corsHeadersOf(raw.headers.origin))
      done(fault)
    })
    app.addHook('preParsing', (request, reply, payload, done) => {
      if (expectationOf(request.raw) !== undefined && !isTooLong(request)) reply.raw.writeContinue()
      done(null, payload)
    })
    // A body that has not arrived, and that nobody is going to read, would stand before the next request on the
    // connection. A request without a body is complete when the answers of this turn are written.
    app.addHook('onSend', ({ raw }, reply, _payload, done) => {
      writeTogether(() => {
        if (!raw.complete) reply.header('Connection', 'close')
        done()
      })
    })
    app.server.on('connection', (socket: Socket) => {
      lingerOnClose(socket, () => (lifecycle.draining ? LINGER_WHILE_STOPPING : LINGER))
    })
    // Node by itself would ask for a body that may be refused, answer with an empty 417, and close the connection of a
    // CONNECT.
    const serve = (request: IncomingMessage, response: ServerResponse) => {
      app.server.emit('request', request, response)
    }
    app.server.on('checkContinue', serve)
    app.server.on('checkExpectation', serve)
    // CONNECT names no path, so its 405 lists the methods of the whole server.
    const methods = operations.map(({ method }) => method.toUpperCase())
    const Allow = [...new Set(['GET', 'HEAD', 'OPTIONS', ...methods])].join(', ')
    app.server.on('connect', (request: IncomingMessage, socket: Socket) => {
      socket.on('error', () => socket.destroy())
      refuse(app, socket, faultOf(request) ?? new ApiError('method_not_allowed', undefined, { Allow }))
    })
  },
  { name: 'protocol' }
)

/** What tells a client that its connection ends with the answer. */
const close = { Connection: 'close' }

/** Gives the refusal of a request that HTTP forbids; undefined for any other. */
function faultOf (raw: IncomingMessage): ApiError | undefined {
  if (raw.url === MALFORMED_URL) {
    return new ApiError('bad_request', 'The address is not a path or an http URL, or not validly percent-encoded.')
  }
  if (raw.httpVersion !== '1.1' && raw.httpVersion !== '1.0') {
    return new ApiError('http_version_not_supported', undefined, close)
  }
  if (!hasHost(raw)) {
    return new ApiError('bad_request', 'One Host header is required: a host or IP address, optionally a port.', close)
  }
  if (raw.headers['content-type'] !== undefined && headerCount(raw, 'content-type') > 1) {
    return new ApiError('bad_request', 'The request must have at most one Content-Type header.', close)
  }
  const coding = raw.headers['transfer-encoding']
  if (coding !== undefined && raw.httpVersion === '1.0') {
    return new ApiError('bad_request', 'HTTP/1.0 has no Transfer-Encoding.', close)
  }
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return new ApiError('not_implemented', undefined, close)
  }
  const expectation = expectationOf(raw)
  if (expectation !== undefined && expectation !== '100-continue') {
    return new ApiError('expectation_failed', undefined, close)
  }
  return undefined
}

/** Checks for one valid Host, which HTTP/1.0 may omit and any request may leave empty (RFC 9112, section 3.2). */
function hasHost (raw: IncomingMessage): boolean {
  const { host = '' } = raw.headers
  const count = headerCount(raw, 'host')
  return (count === 1 || (count === 0 && raw.httpVersion === '1.0')) && (host === '' || isHost(host))
}

/** What a request waits for before it sends its body; HTTP/1.0 cannot ask for it (RFC 9110, section 10.1.1). */
function expectationOf (raw: IncomingMessage): string | undefined {
  return raw.httpVersion === '1.1' ? raw.headers.expect?.toLowerCase() : undefined
}

/** Whether a body is going to be refused for the length that the request tells of it. */
function isTooLong ({ headers, routeOptions }: FastifyRequest): boolean {
  return Number(headers['content-length'] ?? 0) > routeOptions.bodyLimit
}

/**
 * Reads on after the last response and drops what arrives, unparsed. Node would destroy a connection with an unread
 * body, and the client would see a reset instead of the response.
 */
function lingerOnClose (socket: Socket, linger: () => number): void {
  socket.destroySoon = () => {
    socket.end()
    // Node must start reading again before its parser lets go of the connection.
    socket.pause()
    socket.resume()
    socket.once('resume', () => {
      socket.removeAllListeners('data')
      socket.on('data', () => {})
    })
    const timer = setTimeout(() => socket.destroy(), linger())
    socket.once('end', () => socket.destroy())
    socket.once('close', () => clearTimeout(timer))
  }
}
