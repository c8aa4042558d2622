import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import Negotiator from 'negotiator'
import type { Document, Operation } from '../../contract/index.js'
import type { AcceptedKeys } from '../../pages/accepted-keys.js'
import { deprecationList, deprecationPage } from '../../pages/deprecations.js'
import { LANDING_LINK, landingLinks, landingPage } from '../../pages/landing.js'
import type { Page } from '../../pages/page.js'
import { FAVICON } from '../../pages/style.js'

export interface PagesOptions {
  document: Document
  operations: Operation[]
  basePath: string
  keys: AcceptedKeys
}

/** `/` and `/deprecations`: a page for a person, JSON for a program, as `Accept` says (RFC 9110, section 12.5.1). */
export const pages = fp<PagesOptions>(
  async (app, { document, operations, basePath, keys }) => {
    const send = (request: FastifyRequest, reply: FastifyReply, value: unknown, page: () => Page) => {
      reply.header('Vary', [reply.getHeader('Vary'), 'Accept'].filter((field) => field !== undefined).join(', '))
      const preferred = new Negotiator(request.raw).mediaType(['application/json', 'text/html'])
      if (preferred !== 'text/html') return reply.send(value)
      const { html, policy } = page()
      return reply.header('Content-Security-Policy', policy).type('text/html; charset=utf-8').send(html)
    }

    const links = landingLinks(document, basePath)
    const deprecations = deprecationList(operations, basePath)

    app.get('/', async (request, reply) =>
      send(request, reply.header('Link', LANDING_LINK), links, () =>
        landingPage({ document, operations, basePath, keys, origin: `${request.protocol}://${request.host}` })
      )
    )
    app.get('/deprecations', async (request, reply) =>
      send(request, reply, deprecations, () => deprecationPage(deprecations, document.info.title))
    )
    app.get('/favicon.svg', async (_request, reply) => reply.type('image/svg+xml').send(FAVICON))
  },
  { name: 'pages' }
)
