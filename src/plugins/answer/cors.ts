import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** The headers of CORS for an origin, on answers to bytes that never became a request. */
    corsHeadersOf(origin: string | undefined): Record<string, string>
  }
}

/** Every response header of ours, and of the mock, that a page on another origin may read. */
export const EXPOSED_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'Retry-After',
  'WWW-Authenticate',
  'Allow',
  'Link',
  'Deprecation',
  'Sunset',
  'X-Stability',
  'ETag',
  'Idempotent-Replayed',
  'X-Request-Id',
  'Preference-Applied'
]

const EXPOSED = { 'access-control-expose-headers': EXPOSED_HEADERS.join(', ') }
const ANY_ORIGIN = { 'access-control-allow-origin': '*', ...EXPOSED }
const PREFLIGHT = {
  'access-control-allow-methods': ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].join(', '),
  'access-control-max-age': '600',
  'content-length': '0'
}

/**
 * CORS (https://fetch.spec.whatwg.org/#http-cors-protocol). A preflight is answered here, without a key and whatever
 * its path; any other OPTIONS goes on to its route. Keys travel in a header and not in cookies, so credentials mode is
 * not needed.
 *
 * @fastify/cors makes the headers anew for each answer, also where they are always the same, which cost a tenth of the
 * time of a request.
 */
export const cors = fp<{ origin: '*' | string[] }>(
  async (app, { origin }) => {
    const allowed = origin === '*' ? origin : new Set(origin)
    app.decorate('corsHeadersOf', (sent) => headersFor(sent, allowed))
    app.addHook('onRequest', (request, reply, done) => {
      reply.headers(headersFor(request.headers.origin, allowed))
      if (!isPreflight(request)) return done()
      const asked = request.headers['access-control-request-headers']
      if (asked !== undefined) reply.header('access-control-allow-headers', asked)
      reply.header('vary', origin === '*' ? VARY_HEADERS : `Origin, ${VARY_HEADERS}`)
      reply.code(204).headers(PREFLIGHT).send()
    })
  },
  { name: 'cors' }
)

const VARY_HEADERS = 'Access-Control-Request-Headers'

/** Gives what every answer has: whether a page on the origin may read it, and which of its headers. */
function headersFor (origin: string | undefined, allowed: '*' | Set<string>): Record<string, string> {
  if (allowed === '*') return ANY_ORIGIN
  const isAllowed = origin !== undefined && allowed.has(origin)
  // What is answered to one origin is not for another, so that a cache must ask anew.
  return { vary: 'Origin', ...EXPOSED, ...(isAllowed ? { 'access-control-allow-origin': origin } : {}) }
}

function isPreflight ({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}
