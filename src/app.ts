import type { FastifyInstance } from 'fastify'
import { basePathOf, registerRoutes, servedOf } from './contract/index.js'
import type { ApiKeyRepository } from './domain/api-keys.js'
import type { Clock } from './domain/clock.js'
import type { DailyUsageRepository } from './domain/api-keys/daily-usage.js'
import type { IdempotencyRepository } from './domain/idempotency.js'
import type { UsageRepository } from './domain/usage.js'
import type { Metrics } from './metrics/metrics.js'
import { handlersOf, targetsOf, type Dependencies } from './operations/index.js'
import type { HealthOptions } from './plugins/answer/health.js'
import { access, validKey } from './plugins/gate/access.js'
import { auth } from './plugins/gate/auth.js'
import { dailyUsage } from './plugins/gate/daily-usage.js'
import { rateLimit } from './plugins/gate/rate-limit.js'
import { conditional, etag } from './plugins/operation/conditional.js'
import { idempotency } from './plugins/operation/idempotency.js'
import { responseCache } from './plugins/operation/response-cache.js'
import { operationShell, shell } from './plugins/shell.js'
import type { Tracing } from './tracing/tracing.js'
import { loadLimitsOf, SECURITY_SCHEMES, serverOf, timeLimitsOf, type ServerOptions } from './server.js'

export interface AppOptions extends ServerOptions, HealthOptions {
  repositories: Dependencies & {
    apiKeys: ApiKeyRepository
    usage: UsageRepository
    dailyUsage: DailyUsageRepository
    idempotency: IdempotencyRepository
  }
  clock: Clock
  /** Measures the requests; without it, nothing is measured. */
  metrics?: Metrics | undefined
  /** Traces the requests; without it, nothing is traced. */
  tracing?: Tracing | undefined
}

/**
 * Builds the service, ready to listen or to be tested.
 * @throws {ContractError} when the document and the program do not agree
 */
export async function buildApp ({
  types,
  guide,
  repositories,
  clock,
  settings,
  logger,
  lifecycle,
  ping,
  degraded,
  metrics,
  tracing,
  ...given
}: AppOptions): Promise<FastifyInstance> {
  const basePath = basePathOf(given.document)
  const { document, source, json, operations, handlers } = await servedOf(given, settings.experimental, () =>
    handlersOf(repositories)
  )
  const { corsOrigin, docs, enforceSunset, trustProxy } = settings
  const app = serverOf(settings, logger)
  const targets = targetsOf(repositories)
  const cache = responseCache()

  if (tracing) await app.register(tracing.plugin)
  // THE LIST: what a request meets, in this order, before its handler; plugins/shell.ts lists what is in the shells.
  await app.register(shell, {
    document,
    source,
    json,
    types,
    guide,
    operations,
    clock,
    basePath,
    keys: 'issued',
    corsOrigin,
    trustProxy,
    docs,
    timeLimits: timeLimitsOf(settings),
    loadLimits: loadLimitsOf(settings),
    lifecycle,
    ping,
    degraded
  })
  if (metrics) await app.register(metrics.plugin(operations))
  await app.register(rateLimit, { usage: repositories.usage, clock })
  await app.register(
    async (api) => {
      await api.register(operationShell, { operations, clock, docs, enforceSunset })
      await api.register(auth, { apiKeys: repositories.apiKeys, clock })
      await api.register(dailyUsage, { repository: repositories.dailyUsage, clock })
      await api.register(access, { admit: validKey })
      await api.register(cache.plugin)
      registerRoutes(api, {
        document,
        operations,
        handlers,
        securitySchemes: SECURITY_SCHEMES,
        interceptors: [
          idempotency({ repository: repositories.idempotency, clock }),
          conditional(targets),
          cache.interceptor,
          etag
        ]
      })
    },
    { prefix: basePath }
  )
  await app.ready()
  return app
}
