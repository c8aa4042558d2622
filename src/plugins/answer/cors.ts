import corsPlugin from '@fastify/cors'
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

/**
 * CORS (https://fetch.spec.whatwg.org/#http-cors-protocol). A preflight is answered here, without a key and whatever
 * its path; any other OPTIONS goes on to its route. Keys travel in a header and not in cookies, so credentials mode is
 * not needed.
 */
export const cors = fp<{ origin: '*' | string[] }>(
  async (app, { origin }) => {
    app.decorate('corsHeadersOf', (sent) => headersFor(sent, origin))
    const options = {
      origin,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].join(', '),
      exposedHeaders: EXPOSED_HEADERS.join(', '),
      maxAge: 600
    }
    const ofPreflight = { ...options, preflight: true }
    const ofOthers = { ...options, preflight: false }
    await app.register(corsPlugin, {
      hideOptionsRoute: true,
      delegator: (request: FastifyRequest, done) => done(null, isPreflight(request) ? ofPreflight : ofOthers)
    })
  },
  { name: 'cors' }
)

/** Gives what every answer has: whether a page on the origin may read it, and which of its headers. */
function headersFor (origin: string | undefined, allowed: '*' | string[]): Record<string, string> {
  const exposed = { 'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', ') }
  if (allowed === '*') return { 'Access-Control-Allow-Origin': '*', ...exposed }
  const isAllowed = origin !== undefined && allowed.includes(origin)
  return { Vary: 'Origin', ...exposed, ...(isAllowed ? { 'Access-Control-Allow-Origin': origin } : {}) }
}

function isPreflight ({ raw: { headers } }: FastifyRequest): boolean {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}
