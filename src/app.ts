import type { FastifyInstance } from 'fastify'
import { basePathOf, registerRoutes, servedOf } from './contract/index.js'
import type { ApiKeyRepository } from './domain/api-keys.js'
import type { Clock } from './domain/clock.js'
import type { IdempotencyRepository } from './domain/idempotency.js'
import type { UsageRepository } from './domain/usage.js'
import { handlersOf, type Dependencies } from './operations/index.js'
import { access, validKey } from './plugins/gate/access.js'
import { auth } from './plugins/gate/auth.js'
import { conditional } from './plugins/operation/conditional.js'
import { cors } from './plugins/answer/cors.js'
import { deprecation } from './plugins/operation/deprecation.js'
import { docs } from './plugins/pages/docs.js'
import { errors } from './plugins/answer/errors.js'
import { health, type HealthOptions } from './plugins/answer/health.js'
import { idempotency } from './plugins/operation/idempotency.js'
import { pages } from './plugins/pages/pages.js'
import { pipelining } from './plugins/connection/pipelining.js'
import { protocol } from './plugins/connection/protocol.js'
import { rateLimit } from './plugins/gate/rate-limit.js'
import { requestLog } from './plugins/answer/request-log.js'
import { securityHeaders } from './plugins/answer/security-headers.js'
import { stability } from './plugins/operation/stability.js'
import { SECURITY_SCHEMES, serverOf, type ServerOptions } from './server.js'

export interface AppOptions extends ServerOptions, HealthOptions {
  repositories: Omit<Dependencies, 'basePath'> & {
    apiKeys: ApiKeyRepository
    usage: UsageRepository
    idempotency: IdempotencyRepository
  }
  clock: Clock
}

/**
 * The service, ready to listen or to be tested.
 * @throws {ContractError} when the document and the program do not agree
 */
export async function buildApp ({
  types,
  repositories,
  clock,
  settings,
  lifecycle,
  ping,
  degraded,
  logger,
  ...whole
}: AppOptions): Promise<FastifyInstance> {
  const basePath = basePathOf(whole.document)
  const { document, source, operations, handlers } = await servedOf(whole, settings.experimental, () =>
    handlersOf({ ...repositories, basePath })
  )
  const app = serverOf(settings, logger)

  // THE LIST: what a request meets, in this order, before its handler.
  await app.register(pipelining)
  await app.register(requestLog)
  await app.register(securityHeaders)
  await app.register(errors)
  await app.register(rateLimit, { usage: repositories.usage, clock })
  await app.register(cors, { origin: settings.corsOrigin })
  await app.register(protocol)
  await app.register(health, { lifecycle, ping, degraded })
  if (settings.docs) {
    await app.register(docs, { document, source, types })
    await app.register(pages, { document, operations, basePath, needsKey: true })
  }
  await app.register(
    async (api) => {
      await api.register(deprecation, {
        operations,
        basePath,
        clock,
        docs: settings.docs,
        enforceSunset: settings.enforceSunset
      })
      await api.register(stability)
      await api.register(conditional)
      await api.register(auth, { apiKeys: repositories.apiKeys, clock })
      await api.register(access, { admit: validKey })
      registerRoutes(api, {
        document,
        operations,
        handlers,
        securitySchemes: SECURITY_SCHEMES,
        interceptor: idempotency({ repository: repositories.idempotency, clock })
      })
    },
    { prefix: basePath }
  )
  await app.ready()
  return app
}
