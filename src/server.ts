import { randomUUID } from 'node:crypto'
import fastify, { LogController, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { Document } from './contract/index.js'
import { BODY_LIMIT } from './domain/errors.js'
import { SCOPE_NAMES } from './domain/scopes.js'
import { answerError } from './plugins/answer/errors.js'
import { answerMalformed } from './plugins/connection/malformed.js'
import { routableUrl } from './plugins/connection/protocol.js'

/** What the service and its mock are both built from. */
export interface ServerOptions {
  document: Document
  /** The text of the document. */
  source: string
  /** The TypeScript types of the document. */
  types: string
  settings: {
    corsOrigin: '*' | string[]
    docs: boolean
    enforceSunset: boolean
    experimental: boolean
    keepAliveTimeout: number
    maxConnections: number
    trustProxy: string[]
  }
  logger: NonNullable<FastifyServerOptions['logger']>
}

/** The security that both know how to ask for. */
export const SECURITY_SCHEMES = { bearerAuth: { type: 'http', scheme: 'bearer', scopes: SCOPE_NAMES } }

/** Largest request line and headers together, in bytes. */
const HEADER_LIMIT = 16 * 1024

/**
 * Fastify without a plugin or a route: its limits on sizes, times and connections, and how it answers what is no
 * request.
 */
export function serverOf (settings: ServerOptions['settings'], logger: ServerOptions['logger']): FastifyInstance {
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
    http: {
      maxHeaderSize: HEADER_LIMIT,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
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
  // A client that ends its side behind its requests is still reading (RFC 9112, section 9.6). Node has no public name
  // for this.
  Object.assign(app.server, { httpAllowHalfOpen: true })
  return app
}
