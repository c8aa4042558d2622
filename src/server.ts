import { randomUUID } from 'node:crypto'
import fastify, { LogController, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { Document } from './contract/index.js'
import { BODY_LIMIT } from './domain/errors.js'
import { SCOPE_NAMES } from './domain/scopes.js'
import { answerError } from './plugins/answer/errors.js'
import { answerMalformed } from './plugins/connection/malformed.js'
import { allowHalfOpen } from './plugins/connection/node-internals.js'
import { routableUrl } from './plugins/connection/routable-url.js'

/** How long a request may take, in milliseconds. */
export interface TimeLimits {
  /** Until its headers have arrived. */
  headers: number
  /** Until its body has arrived as well. */
  request: number
  /** From then until its handler has answered. */
  handler: number
  /** Of a client that takes nothing of its answer. */
  untaken: number
  /** Between two looks for requests that take too long to arrive. */
  check: number
}

const TIME_LIMITS: TimeLimits = { headers: 10_000, request: 15_000, handler: 10_000, untaken: 30_000, check: 1_000 }

/** How much may be to do before new requests are refused. */
export interface LoadLimits {
  /** How long a request may wait for its turn, in milliseconds. */
  wait: number
  /** How many requests that have arrived whole may be under way. */
  underWay: number
}

const LOAD_LIMITS: LoadLimits = { wait: 1_000, underWay: 2_000 }

/** What the service and its mock are both built from. */
export interface ServerOptions {
  document: Document
  /** The text of the document. */
  source: string
  /** The TypeScript types of the document; not needed without the docs page. */
  types: string
  /** The guide to the service in Markdown; none where the document is another than it tells of. */
  guide?: string | undefined
  settings: {
    corsOrigin: '*' | string[]
    docs: boolean
    enforceSunset: boolean
    experimental: boolean
    keepAliveTimeout: number
    maxConnections: number
    trustProxy: string[]
    timeLimits?: TimeLimits
    loadLimits?: LoadLimits
  }
  logger: NonNullable<FastifyServerOptions['logger']>
}

/** The security schemes that both enforce. */
export const SECURITY_SCHEMES = { bearerAuth: { type: 'http', scheme: 'bearer', scopes: SCOPE_NAMES } }

/** The limits of a server: those of its settings, or else those that are the same for all. */
export function timeLimitsOf ({ timeLimits = TIME_LIMITS }: ServerOptions['settings']): TimeLimits {
  return timeLimits
}

/** The limits of a server on what it has to do: those of its settings, or else those that are the same for all. */
export function loadLimitsOf ({ loadLimits = LOAD_LIMITS }: ServerOptions['settings']): LoadLimits {
  return loadLimits
}

/** Largest request line and headers together, in bytes. */
const HEADER_LIMIT = 16 * 1024

/**
 * Makes the Fastify app that service and mock begin with, without a plugin or a route: its limits on sizes, times and
 * connections, and how it answers bytes that are not a request.
 */
export function serverOf (settings: ServerOptions['settings'], logger: ServerOptions['logger']): FastifyInstance {
  const limits = timeLimitsOf(settings)
  const app = fastify({
    logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: settings.trustProxy.length > 0 ? settings.trustProxy : false,
    bodyLimit: BODY_LIMIT,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // Fastify switches Node's limit on slow requests off, and lets a hung handler hang its client.
    requestTimeout: limits.request,
    keepAliveTimeout: settings.keepAliveTimeout,
    // A long path value is for the validator to refuse, with a message about the value. The contract reads the query.
    routerOptions: { maxParamLength: HEADER_LIMIT, querystringParser: () => ({}) },
    http: {
      maxHeaderSize: HEADER_LIMIT,
      headersTimeout: limits.headers,
      connectionsCheckingInterval: limits.check,
      requireHostHeader: false
    },
    // Requests that arrive while the server stops are served; cli/serve closes when they are done.
    return503OnClosing: false,
    rewriteUrl: routableUrl,
    frameworkErrors: (error, request, reply) => {
      answerError(error, request, reply)
    },
    clientErrorHandler: answerMalformed
  })
  app.server.maxConnections = settings.maxConnections
  // Node would drop headers beyond 2,000 without a word; HEADER_LIMIT bounds them.
  app.server.maxHeadersCount = 0
  allowHalfOpen(app.server)
  return app
}

/**
 * The contract layer checks what comes in and writes what goes out by the schemas of its routes; no other route has a
 * schema. So Fastify's own compilers are not loaded, which would make every start longer.
 */
function noCompiler (): never {
  throw new Error('A route outside of the contract has a schema, which nothing here compiles.')
}
