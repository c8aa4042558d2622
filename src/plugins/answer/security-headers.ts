import fp from 'fastify-plugin'

/**
 * On every answer; a route that serves a page says otherwise itself. API answers are for one caller and never a
 * document. Header names are written small where they are made for every answer, as Fastify would make them small each
 * time.
 */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff'
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
