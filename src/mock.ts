import type { FastifyInstance } from 'fastify'
import { basePathOf, exampleHandlersOf, exampleHeadersOf, registerRoutes, servedOf } from './contract/index.js'
import { systemClock } from './domain/clock.js'
import { access, anyKey } from './plugins/gate/access.js'
import { conditional } from './plugins/operation/conditional.js'
import { cors } from './plugins/answer/cors.js'
import { deprecation } from './plugins/operation/deprecation.js'
import { docs } from './plugins/pages/docs.js'
import { errors } from './plugins/answer/errors.js'
import { exampleHeaders } from './plugins/operation/example-headers.js'
import { health } from './plugins/answer/health.js'
import { pages } from './plugins/pages/pages.js'
import { pipelining } from './plugins/connection/pipelining.js'
import { protocol } from './plugins/connection/protocol.js'
import { requestLog } from './plugins/answer/request-log.js'
import { securityHeaders } from './plugins/answer/security-headers.js'
import { stability } from './plugins/operation/stability.js'
import { SECURITY_SCHEMES, serverOf, type ServerOptions } from './server.js'

export interface MockOptions extends ServerOptions {
  /** Answer 401 to a call without a bearer key. */
  requireKey: boolean
}

/**
 * The mock: what the service is without its storage, its keys and its limits. Every operation answers with an example
 * of the document.
 * @throws {ContractError} when the document lacks an example
 */
export async function buildMock ({
  types,
  settings,
  logger,
  requireKey,
  ...whole
}: MockOptions): Promise<FastifyInstance> {
  const basePath = basePathOf(whole.document)
  const { document, source, operations, handlers } = await servedOf(whole, settings.experimental, (operations) =>
    exampleHandlersOf(whole.document, operations)
  )
  const app = serverOf(settings, logger)

  await app.register(pipelining)
  await app.register(requestLog)
  await app.register(securityHeaders)
  await app.register(errors)
  await app.register(cors, { origin: settings.corsOrigin })
  await app.register(protocol)
  await app.register(health, { lifecycle: { draining: false }, ping: async () => {}, degraded: () => false })
  if (settings.docs) {
    await app.register(docs, { document, source, types })
    await app.register(pages, { document, operations, basePath, needsKey: requireKey })
  }
  await app.register(
    async (api) => {
      await api.register(deprecation, {
        operations,
        basePath,
        clock: systemClock,
        docs: settings.docs,
        enforceSunset: settings.enforceSunset
      })
      await api.register(stability)
      await api.register(conditional)
      if (requireKey) await api.register(access, { admit: anyKey })
      registerRoutes(api, {
        document,
        operations,
        handlers,
        securitySchemes: SECURITY_SCHEMES,
        // As the document has it.
        serialize: (_schema, example) => JSON.stringify(example)
      })
    },
    { prefix: basePath }
  )
  await app.register(exampleHeaders, { headersOf: exampleHeadersOf(document, operations) })
  await app.ready()
  return app
}
