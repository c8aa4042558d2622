import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fp from 'fastify-plugin'
import { html } from 'ghtml'
import type { Document } from '../../contract/index.js'
import { DOCS_SCRIPT } from '../../pages/docs/script.js'
import { DOCS_STYLE } from '../../pages/docs/style.js'
import { siteNav } from '../../pages/site-nav.js'
import { FAVICON } from '../../pages/style.js'

export interface DocsOptions {
  document: Document
  /** Its text. */
  source: string
  /** The same in JSON. */
  json: string
  /** Its TypeScript types. */
  types: string
  /** The guide; there may be none. */
  guide?: string | undefined
}

/**
 * What the page may load: only what this server serves. The icons of Swagger UI are data: images of its style sheet.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join('; ')

/** The page's files are sent whole, whatever part or version of them a request would rather have. */
const CONDITIONS = ['range', 'if-range', 'if-match', 'if-unmodified-since']

/** What Swagger UI has of its own, and the reference from there to what is served instead. */
const ELSEWHERE: Record<string, string> = {
  '/docs/json': '../openapi.json',
  '/docs/yaml': '../openapi.yaml',
  '/docs/static/index.html': '../'
}

/**
 * Swagger UI at /docs; the document at /openapi.yaml (its text, byte for byte) and /openapi.json, its types at
 * /openapi.d.ts.
 */
export const docs = fp<DocsOptions>(
  async (app, { document, source, json, types, guide }) => {
    const site = { title: document.info.title, guide: guide !== undefined }
    await app.register(async (page) => {
      page.addHook('onRequest', async ({ raw: { headers }, routeOptions: { url = '' } }, reply) => {
        for (const name of CONDITIONS) delete headers[name]
        if (Object.hasOwn(ELSEWHERE, url)) return reply.redirect(ELSEWHERE[url]!)
      })
      // Without it a phone shows the page as wide as a desktop's, and no link leads back to the other pages.
      page.addHook('onSend', async ({ url }, _reply, payload) => {
        if (typeof payload !== 'string') return payload
        const viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">'
        const root = /^[^?]*\/(\?|$)/.test(url) ? '../' : './'
        const nav = siteNav(site, { root, current: 'docs', content: 'operations' })
        return payload
          .replace('<meta charset="UTF-8">', `$&${viewport}`)
          .replace('<body>', () => `<body>${nav}`)
      })
      await page.register(swagger, { mode: 'static', specification: { document: document as never } })
      await page.register(swaggerUi, {
        routePrefix: '/docs',
        indexPrefix: '.', // behind a proxy that puts a prefix before it, the page still finds its files
        staticCSP: CONTENT_SECURITY_POLICY,
        uiConfig: {
          layout: 'BaseLayout', // without a bar that would load other documents
          deepLinking: true,
          displayRequestDuration: true,
          persistAuthorization: true,
          defaultModelExpandDepth: 2,
          defaultModelsExpandDepth: 0, // the schemas of all operations, closed: each operation shows its own
          validatorUrl: null
        },
        theme: {
          title: html`${document.info.title}`,
          favicon: [{ filename: 'favicon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: FAVICON }],
          css: [{ filename: 'docs.css', content: DOCS_STYLE }],
          js: [{ filename: 'docs.js', content: DOCS_SCRIPT }]
        }
      })
    })
    const files: [string, string, string][] = [
      ['/openapi.yaml', 'application/yaml', source],
      ['/openapi.json', 'application/json', json],
      ['/openapi.d.ts', 'text/plain', types]
    ]
    for (const [path, type, text] of files) {
      // The same bytes for all clients: a string would be in memory once more for each that has not taken it.
      const bytes = Buffer.from(text)
      app.get(path, async (_request, reply) => reply.type(`${type}; charset=utf-8`).send(bytes))
    }
  },
  { name: 'docs' }
)
