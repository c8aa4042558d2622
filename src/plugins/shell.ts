import fp from 'fastify-plugin'
import { cors } from './answer/cors.js'
import { errors } from './answer/errors.js'
import { health, type HealthOptions } from './answer/health.js'
import { requestLog } from './answer/request-log.js'
import { securityHeaders } from './answer/security-headers.js'
import { closing } from './connection/closing.js'
import { forwarded } from './connection/forwarded.js'
import { overload, type OverloadOptions } from './connection/overload/overload.js'
import { pipelining } from './connection/pipelining.js'
import { protocol } from './connection/protocol.js'
import { timeLimit } from './connection/time-limit.js'
import { underWay } from './connection/under-way.js'
import { untaken } from './connection/untaken.js'
import { deprecation, type DeprecationOptions } from './operation/deprecation.js'
import { operation } from './operation/operation.js'
import { stability } from './operation/stability.js'
import { docs, type DocsOptions } from './pages/docs.js'
import { pages, type PagesOptions } from './pages/pages.js'

export interface ShellOptions extends HealthOptions, DocsOptions, PagesOptions {
  corsOrigin: '*' | string[]
  /** The proxies whose X-Forwarded-For, -Proto and -Host are believed. */
  trustProxy: string[]
  /** Whether to serve the docs page, the document and the pages about them. */
  docs: boolean
  /** How long a handler may take, a client that takes nothing, and the time between two looks, in milliseconds. */
  timeLimits: { handler: number; untaken: number; check: number }
  loadLimits: OverloadOptions
}

/** What every request to the service or its mock meets first, in this order, whatever its path. */
export const shell = fp<ShellOptions>(
  async (app, options) => {
    await app.register(overload, options.loadLimits)
    await app.register(pipelining)
    await app.register(untaken, { patience: options.timeLimits.untaken, interval: options.timeLimits.check })
    await app.register(underWay)
    await app.register(closing, options)
    await app.register(timeLimit, { limit: options.timeLimits.handler, interval: options.timeLimits.check })
    await app.register(operation)
    await app.register(forwarded, options)
    await app.register(requestLog)
    await app.register(securityHeaders)
    await app.register(errors)
    await app.register(protocol, options)
    await app.register(cors, { origin: options.corsOrigin })
    await app.register(health, options)
    if (options.docs) {
      await app.register(docs, options)
      await app.register(pages, options)
    }
  },
  { name: 'shell' }
)

/** What the document says of an operation as a whole: that it is deprecated, and how stable it is. */
export const operationShell = fp<DeprecationOptions>(
  async (api, options) => {
    await api.register(deprecation, options)
    await api.register(stability)
  },
  { name: 'operation-shell' }
)
