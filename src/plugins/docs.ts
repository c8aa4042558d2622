import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fp from 'fastify-plugin'
import type { Document } from '../contract/document.js'

/** What the page may load: only what this server serves. Swagger UI styles some elements inline, and its icons are data: images. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data:", "connect-src 'self'",
  "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"
].join('; ')

/** The page's files are sent whole, whatever part or version of them a request would rather have. */
const CONDITIONS = ['range', 'if-range', 'if-match', 'if-unmodified-since']

/** Swagger UI on the document at /docs; the document itself at /openapi.yaml (its source, byte for byte) and /openapi.json. */
export const docs = fp<{ document: Document, source: string }>(async (app, { document, source }) => {
  await app.register(async (page) => {
    page.addHook('onRequest', async ({ raw: { headers } }) => {
      for (const name of CONDITIONS) delete headers[name]
    })
    await page.register(swagger, { mode: 'static', specification: { document: document as never } })
    await page.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: CONTENT_SECURITY_POLICY,
      uiConfig: { deepLinking: true, displayRequestDuration: true, persistAuthorization: true, validatorUrl: null },
      theme: { title: document.info.title }
    })
  })
  app.get('/openapi.yaml', async (_request, reply) => reply.type('application/yaml; charset=utf-8').send(source))
  app.get('/openapi.json', async () => document)
}, { name: 'docs' })
