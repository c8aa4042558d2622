import fp from 'fastify-plugin'

/**
 * On every answer; a route that serves a page says otherwise itself. API answers are for one caller and never a
 * document.
 */
export const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff'
}

export const securityHeaders = fp(
  async (app) => {
    app.addHook('onRequest', (_request, reply, done) => {
      reply.headers(SECURITY_HEADERS)
      done()
    })
  },
  { name: 'security-headers' }
)
