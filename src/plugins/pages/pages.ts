import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import Negotiator from 'negotiator'
import type { Document, Operation } from '../../contract/index.js'
import type { Clock } from '../../domain/clock.js'
import type { AcceptedKeys } from '../../pages/accepted-keys.js'
import { deprecationList, deprecationPage } from '../../pages/deprecations.js'
import { guideText } from '../../pages/guide-text.js'
import { LANDING_LINK, landingLinks, landingPage } from '../../pages/landing.js'
import type { Page } from '../../pages/page.js'
import { FAVICON } from '../../pages/style.js'

export interface PagesOptions {
  document: Document
  /** The guide in Markdown; none where the document is another than it tells of. */
  guide?: string | undefined
  operations: Operation[]
  clock: Clock
  basePath: string
  keys: AcceptedKeys
}

/** What a page is for a program: an answer and its media type. */
interface ForPrograms {
  type: string
  value: unknown
}

/** The address that a request was sent to, without a path. */
function originOf ({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}`
}

/**
 * `/`, `/guide` and `/deprecations`: a page for a person, JSON or Markdown for a program, as `Accept` says (RFC 9110,
 * section 12.5.1).
 */
export const pages = fp<PagesOptions>(
  async (app, { document, guide, operations, clock, basePath, keys }) => {
    const send = async (
      request: FastifyRequest,
      reply: FastifyReply,
      { type, value }: ForPrograms,
      page: (origin: string) => Page | Promise<Page>
    ) => {
      reply.header('Vary', [reply.getHeader('Vary'), 'Accept'].filter((field) => field !== undefined).join(', '))
      const preferred = new Negotiator(request.raw).mediaType([type, 'text/html'])
      if (preferred !== 'text/html') return reply.type(`${type}; charset=utf-8`).send(value)
      const { html, policy } = await page(originOf(request))
      return reply.header('Content-Security-Policy', policy).type('text/html; charset=utf-8').send(html)
    }
    const json = (value: unknown): ForPrograms => ({ type: 'application/json', value })

    const since = new Date(clock.now())
    const site = { title: document.info.title, guide: guide !== undefined }
    const links = json(landingLinks(document, site, basePath))
    const rows = deprecationList(operations, basePath)
    const deprecations = json(rows)

    app.get('/', async (request, reply) =>
      send(request, reply.header('Link', LANDING_LINK), links, async (origin) => {
        const readiness = await app.readiness().catch(() => 'not ready' as const)
        return landingPage({
          document, site, operations, deprecations: rows, basePath, keys, origin, readiness, since
        })
      })
    )
    app.get('/deprecations', async (request, reply) =>
      send(request, reply, deprecations, () => deprecationPage(rows, site))
    )
    if (guide !== undefined) {
      // Read and rendered when somebody asks for it, so that no start waits for it.
      const render = async () => {
        const { guidePages } = await import('../../pages/guide.js')
        return guidePages({ site, text: guide, basePath, keys })
      }
      let rendered: Awaited<ReturnType<typeof render>> | undefined
      app.get('/guide', async (request, reply) => {
        const markdown = { type: 'text/markdown', value: guideText(guide, originOf(request) + basePath) }
        return send(request, reply, markdown, async (origin) => (rendered ??= await render())(origin))
      })
    }
    app.get('/favicon.svg', async (_request, reply) => reply.type('image/svg+xml').send(FAVICON))
  },
  { name: 'pages' }
)
