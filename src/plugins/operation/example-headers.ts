import fp from 'fastify-plugin'
import type { Operation } from '../../contract/index.js'

/** The headers that the document shows for an answer of an operation, or for one that is no operation's. */
export interface ExampleHeadersOptions {
  headersOf: (operation?: Operation, status?: number) => Record<string, string>
}

/**
 * Every header that the document declares for an answer, by its example, where no other plugin has set it. To be
 * registered last.
 */
export const exampleHeaders = fp<ExampleHeadersOptions>(
  async (app, { headersOf }) => {
    app.decorate('limitHeadersOf', () => headersOf())
    app.addHook('onSend', async (request, reply) => {
      for (const [name, value] of Object.entries(headersOf(request.operation, reply.statusCode))) {
        // An answer does not link to itself, so that who follows `rel="next"` comes to an end.
        const isLinkToItself = value.includes(`<?${request.url.split('?', 2)[1]}>`)
        if (!reply.hasHeader(name) && !isLinkToItself) reply.header(name, value)
      }
    })
  },
  { name: 'example-headers', dependencies: ['operation'] }
)
