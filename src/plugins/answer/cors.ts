import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

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
    const allow = origin === '*' ? allowAny : allowListed(new Set(origin))
    app.addHook('onRequest', (request, reply, done) => {
      allow(request, reply)
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

function allowAny (_request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(ANY_ORIGIN)
}

/** What is answered to one origin is not for another, so that a cache must ask anew. */
function allowListed (origins: Set<string>): (request: FastifyRequest, reply: FastifyReply) => void {
  return ({ headers: { origin } }, reply) => {
    reply.header('vary', 'Origin').headers(EXPOSED)
    if (origin !== undefined && origins.has(origin)) reply.header('access-control-allow-origin', origin)
  }
}

function isPreflight ({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}
