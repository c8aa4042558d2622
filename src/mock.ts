import type { FastifyInstance } from 'fastify'
import { basePathOf } from './contract/document.js'
import { exampleHandlersOf } from './contract/example-handlers.js'
import { exampleHeadersOf } from './contract/example.js'
import { operationsOf } from './contract/operation.js'
import { registerRoutes } from './contract/routes.js'
import { systemClock } from './domain/clock.js'
import { anyKey } from './plugins/any-key.js'
import { cors } from './plugins/cors.js'
import { deprecation } from './plugins/deprecation.js'
import { docs } from './plugins/docs.js'
import { errors } from './plugins/errors.js'
import { exampleHeaders } from './plugins/example-headers.js'
import { health } from './plugins/health.js'
import { pages } from './plugins/pages.js'
import { protocol } from './plugins/protocol.js'
import { requestLog } from './plugins/request-log.js'
import { securityHeaders } from './plugins/security-headers.js'
import { serverOf, type ServerOptions } from './server.js'

export interface MockOptions extends ServerOptions {
  /** Answer 401 to a call without a bearer key. */
  requireKey: boolean
}

/**
 * The mock: what the service is without its storage, its keys and its limits. Every operation answers with an example of the document.
 * @throws {ContractError} when the document lacks an example
 */
export async function buildMock ({ document, source, types, settings, logger, requireKey }: MockOptions): Promise<FastifyInstance> {
  const operations = operationsOf(document)
  const basePath = basePathOf(document)
  const app = serverOf(settings, logger)

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
    // As the document has it: a serializer would add defaults.
    api.setReplySerializer((body) => JSON.stringify(body))
    if (requireKey) await api.register(anyKey)
    registerRoutes(api, { document, operations, handlers: exampleHandlersOf(document, operations), securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } })
  }, { prefix: basePath })
  await app.register(exampleHeaders, { headersOf: exampleHeadersOf(document, operations) })
  await app.ready()
  return app
}
