import type { FastifyInstance } from 'fastify'
import { basePathOf } from './contract/base-path.js'
import { exampleHandlersOf } from './contract/example-handlers.js'
import { exampleHeadersOf } from './contract/example.js'
import { registerRoutes } from './contract/routes.js'
import { servedOf } from './contract/stability.js'
import { systemClock } from './domain/clock.js'
import { access, anyKey } from './plugins/access.js'
import { conditional } from './plugins/conditional.js'
import { cors } from './plugins/cors.js'
import { deprecation } from './plugins/deprecation.js'
import { docs } from './plugins/docs.js'
import { errors } from './plugins/errors.js'
import { exampleHeaders } from './plugins/example-headers.js'
import { health } from './plugins/health.js'
import { pages } from './plugins/pages.js'
import { pipelining } from './plugins/pipelining.js'
import { protocol } from './plugins/protocol.js'
import { requestLog } from './plugins/request-log.js'
import { securityHeaders } from './plugins/security-headers.js'
import { stability } from './plugins/stability.js'
import { SECURITY_SCHEMES, serverOf, type ServerOptions } from './server.js'

export interface MockOptions extends ServerOptions {
  /** Answer 401 to a call without a bearer key. */
  requireKey: boolean
}

/**
 * The mock: what the service is without its storage, its keys and its limits. Every operation answers with an example of the document.
 * @throws {ContractError} when the document lacks an example
 */
export async function buildMock ({ types, settings, logger, requireKey, ...whole }: MockOptions): Promise<FastifyInstance> {
  const basePath = basePathOf(whole.document)
  const { document, source, operations, handlers } = await servedOf(whole, settings.experimental, (operations) => exampleHandlersOf(whole.document, operations))
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
  await app.register(async (api) => {
    await api.register(deprecation, { operations, basePath, clock: systemClock, docs: settings.docs, enforceSunset: settings.enforceSunset })
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
  }, { prefix: basePath })
  await app.register(exampleHeaders, { headersOf: exampleHeadersOf(document, operations) })
  await app.ready()
  return app
}
