import type { FastifyInstance } from 'fastify'
import {
  basePathOf,
  exampleHandlersOf,
  exampleHeadersOf,
  jsonTextOf,
  registerRoutes,
  servedOf,
  yamlTextOf
} from './contract/index.js'
import { systemClock } from './domain/clock.js'
import { mockDocumentOf } from './pages/mock-document.js'
import { access, anyKey } from './plugins/gate/access.js'
import { conditional, etag } from './plugins/operation/conditional.js'
import { freshLimits } from './plugins/gate/fresh-limits.js'
import { exampleHeaders } from './plugins/operation/example-headers.js'
import { operationShell, shell } from './plugins/shell.js'
import { loadLimitsOf, SECURITY_SCHEMES, serverOf, timeLimitsOf, type ServerOptions } from './server.js'

export interface MockOptions extends ServerOptions {
  /** Answer 401 to a call without a bearer key. */
  requireKey: boolean
}

/** It has no storage that could fail, and stops at once. */
const HEALTHY = { lifecycle: { draining: false }, ping: async () => ({ writable: true }), degraded: () => false }

/**
 * Builds the mock: what the service is without its storage and its keys, and with limits that nothing spends. Every
 * operation answers with an example of the document.
 * @throws {ContractError} when the document lacks an example
 */
export async function buildMock ({
  types,
  guide,
  settings,
  logger,
  requireKey,
  ...given
}: MockOptions): Promise<FastifyInstance> {
  const basePath = basePathOf(given.document)
  const { document, operations, handlers } = await servedOf(given, settings.experimental, (operations) =>
    exampleHandlersOf(given.document, operations)
  )
  const { corsOrigin, docs, enforceSunset, trustProxy } = settings
  const app = serverOf(settings, logger)
  const keys = requireKey ? 'any' : 'none'
  const shown = mockDocumentOf({ document, operations, keys })

  // The list of the service, without its keys, and with limits that nothing spends.
  await app.register(shell, {
    document: shown,
    source: docs ? await yamlTextOf(shown) : '',
    json: jsonTextOf(shown),
    types,
    guide,
    operations,
    clock: systemClock,
    basePath,
    keys,
    corsOrigin,
    trustProxy,
    docs,
    timeLimits: timeLimitsOf(settings),
    loadLimits: loadLimitsOf(settings),
    ...HEALTHY
  })
  await app.register(freshLimits, { clock: systemClock })
  await app.register(
    async (api) => {
      await api.register(operationShell, { operations, clock: systemClock, docs, enforceSunset })
      if (requireKey) await api.register(access, { admit: anyKey })
      registerRoutes(api, {
        document,
        operations,
        handlers,
        securitySchemes: SECURITY_SCHEMES,
        interceptors: [conditional(undefined), etag],
        // As the document has it.
        serialize: (_schema, example) => jsonTextOf(example)
      })
    },
    { prefix: basePath }
  )
  await app.register(exampleHeaders, { headersOf: exampleHeadersOf(document, operations) })
  await app.ready()
  return app
}
