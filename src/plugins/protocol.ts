import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Clock } from '../domain/clock.js'
import { ApiError } from '../domain/errors.js'
import { writeError } from './malformed.js'

declare module 'fastify' {
  interface FastifyInstance { clock: Clock }
}

/** How long a closed connection is still read, in milliseconds, so that a client which is sending can see why it was refused. */
const LINGER = 2_000

/** What HTTP asks of a server and neither Node nor Fastify answers in our form (RFC 9110, RFC 9112). */
export const protocol = fp<{ clock: Clock }>(async (app, { clock }) => {
  app.decorate('clock', clock)
  app.addHook('onRequest', async (request) => {
    const fault = faultOf(request)
    if (fault) throw fault
  })
  app.server.on('connection', lingerOnClose)
  // Node would answer these two by itself: an empty 417, and a closed connection.
  app.server.on('checkExpectation', (request: IncomingMessage, _response: ServerResponse) => {
    writeError(app, request.socket, new ApiError('expectation_failed'))
  })
  app.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    writeError(app, socket, new ApiError('method_not_allowed', undefined, { Allow: '' }))
  })
}, { name: 'protocol' })

/** Stands in for an address that is not validly percent-encoded (RFC 3986, section 2.1): the router would refuse that before any plugin sees it. */
const MALFORMED_URL = `/${randomUUID()}`

/** Fastify's `rewriteUrl`: gives the router an address that it can read, so that a malformed one is refused like anything else. */
export function routableUrl ({ url = '/' }: IncomingMessage): string {
  try {
    decodeURIComponent(url)
    return url
  } catch {
    return MALFORMED_URL
  }
}

function faultOf ({ raw }: FastifyRequest): ApiError | undefined {
  const count = (name: string) => raw.rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === name).length
  const close = { Connection: 'close' }
  if (raw.url === MALFORMED_URL) return new ApiError('bad_request', 'The address is not validly percent-encoded.')
  if (raw.httpVersion !== '1.1' && raw.httpVersion !== '1.0') return new ApiError('http_version_not_supported', undefined, close)
  if (count('host') > 1 || (count('host') === 0 && raw.httpVersion === '1.1')) return new ApiError('bad_request', 'The request must have exactly one Host header.', close)
  if (count('content-type') > 1) return new ApiError('bad_request', 'The request must have at most one Content-Type header.', close)
  const coding = raw.headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return new ApiError('not_implemented', undefined, close)
  return undefined
}

/** Node destroys a connection whose request was not read to its end, and the client sees a reset instead of the answer. */
function lingerOnClose (socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    socket.resume()
    const timer = setTimeout(() => socket.destroy(), LINGER).unref()
    socket.once('end', () => socket.destroy())
    socket.once('close', () => clearTimeout(timer))
  }
}
