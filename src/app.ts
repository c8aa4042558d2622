import { randomUUID } from 'node:crypto'
import fastify, { LogController, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { basePathOf, type Document } from './contract/document.js'
import { operationsOf } from './contract/operation.js'
import { registerRoutes } from './contract/routes.js'
import type { ApiKeyRepository } from './domain/api-keys.js'
import type { Clock } from './domain/clock.js'
import { BODY_LIMIT } from './domain/errors.js'
import type { PetRepository } from './domain/pets.js'
import type { UsageRepository } from './domain/usage.js'
import { handlersOf } from './operations/index.js'
import { access } from './plugins/access.js'
import { auth } from './plugins/auth.js'
import { cors } from './plugins/cors.js'
import { deprecation } from './plugins/deprecation.js'
import { docs } from './plugins/docs.js'
import { answerError, errors } from './plugins/errors.js'
import { health, type HealthOptions } from './plugins/health.js'
import { answerMalformed } from './plugins/malformed.js'
import { pages } from './plugins/pages.js'
import { protocol, routableUrl } from './plugins/protocol.js'
import { rateLimit } from './plugins/rate-limit.js'
import { requestLog } from './plugins/request-log.js'
import { securityHeaders } from './plugins/security-headers.js'

export interface AppOptions extends HealthOptions {
  document: Document
  /** The text of the document. */
  source: string
  /** The TypeScript types of the document. */
  types: string
  repositories: { pets: PetRepository, apiKeys: ApiKeyRepository, usage: UsageRepository }
  clock: Clock
  settings: { corsOrigin: '*' | string[], docs: boolean, enforceSunset: boolean, keepAliveTimeout: number, maxConnections: number, trustProxy: string[] }
  logger: NonNullable<FastifyServerOptions['logger']>
}

/** Largest request line and headers together, in bytes. */
const HEADER_LIMIT = 16 * 1024

/**
 * The service, ready to listen or to be tested.
 * @throws {ContractError} when the document and the program do not agree
 */
export async function buildApp ({ document, source, types, repositories, clock, settings, lifecycle, ping, logger }: AppOptions): Promise<FastifyInstance> {
  const operations = operationsOf(document)
  const basePath = basePathOf(document)
  const app = fastify({
    logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: settings.trustProxy.length > 0 ? settings.trustProxy : false,
    bodyLimit: BODY_LIMIT,
    // Fastify switches Node's limit on slow requests off, and lets a hung handler hang its client.
    requestTimeout: 15_000,
    handlerTimeout: 10_000,
    keepAliveTimeout: settings.keepAliveTimeout,
    // A long path value is for the validator to refuse, with a message about the value.
    routerOptions: { maxParamLength: HEADER_LIMIT },
    http: { maxHeaderSize: HEADER_LIMIT, headersTimeout: 10_000, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    // Requests that arrive while the server stops are served; cli/serve closes when they are done.
    return503OnClosing: false,
    rewriteUrl: routableUrl,
    frameworkErrors: (error, request, reply) => { answerError(error, request, reply) },
    clientErrorHandler: answerMalformed
  })
  app.server.maxConnections = settings.maxConnections
  // Node would drop headers beyond 2,000 without a word; HEADER_LIMIT bounds them.
  app.server.maxHeadersCount = 0

  // THE LIST: what a request meets, in this order, before its handler.
  await app.register(requestLog)
  await app.register(securityHeaders)
  await app.register(errors)
  await app.register(rateLimit, { usage: repositories.usage, clock })
  await app.register(cors, { origin: settings.corsOrigin })
  await app.register(protocol)
  await app.register(health, { lifecycle, ping })
  if (settings.docs) {
    await app.register(docs, { document, source, types })
    await app.register(pages, { document, operations, basePath })
  }
  await app.register(async (api) => {
    await api.register(deprecation, { operations, basePath, clock, docs: settings.docs, enforceSunset: settings.enforceSunset })
    await api.register(auth, { apiKeys: repositories.apiKeys, clock })
    await api.register(access)
    registerRoutes(api, { document, operations, handlers: handlersOf({ pets: repositories.pets, basePath }), securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } })
  }, { prefix: basePath })
  await app.ready()
  return app
}
