import { METHODS as NODE_METHODS } from 'node:http'
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Around } from './response/interceptor.js'
import { basePathOf } from './document/servers.js'
import { acceptBodies, refuseOtherMedia } from './content-type-parser.js'
import { bodyReaderOf, type Received } from './request/body/body.js'
import { ContractError } from './document/contract-error.js'
import type { Document } from './document/document.js'
import type { Operation } from './operation/operation.js'
import { parametersReaderOf } from './request/parameters.js'
import { urlOf } from './request/path.js'
import { answerOf } from './response/response.js'
import { RequestError } from './request/request-error.js'
import { cookieSchemaOf, routeSchemaOf } from './route-schema.js'
import { checkSecurity, type EnforcedScheme } from './operation/security.js'
import { serializerOf } from './response/serializer.js'
import { validatorCompilerOf } from './validation/validator.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation of the document that this route serves. */
    operation?: Operation
    /** Reads a body that was sent to it. */
    readBody?: (bytes: Buffer, contentType: string | undefined) => Received
  }
  /** Set by {@link registerRoutes} where an operation declares cookies. */
  interface FastifyRequest {
    cookies?: unknown
  }
}

const alone: Around = (_request, work) => work()

type AnyHandler = (request: {
  params: unknown
  query: unknown
  headers: unknown
  cookies: unknown
  body: unknown
}) => unknown

export interface ContractOptions {
  document: Document
  operations: Operation[]
  /** `HandlersOf<operations>`, which the compiler has checked; it is checked again here. */
  handlers: object
  /**
   * The security schemes that the app enforces, as the document must declare them; undefined when it enforces none, as
   * a stub does.
   */
  securitySchemes: Record<string, EnforcedScheme> | undefined
  /** Writes the JSON of an answer; unless given by its schema, which leaves out what that does not declare. */
  serialize?: ReturnType<typeof serializerOf>
  /** Stands around the work of every operation; unless given nothing does. */
  around?: Around
}

/**
 * Registers a route for each operation of the document, with its schemas for validation and serialization, and on each
 * path `OPTIONS` (204 with `Allow`) and a 405 for every other method. The app has {@link basePathOf} as its prefix.
 * @throws {ContractError} when operations and handlers differ, or when a security scheme is not enforced
 */
export function registerRoutes (
  app: FastifyInstance,
  {
    document,
    operations,
    handlers,
    securitySchemes,
    serialize = serializerOf(document),
    around = alone
  }: ContractOptions
): void {
  const table = new Map(Object.entries(handlers as Record<string, AnyHandler>))
  checkHandlers(operations, table)
  if (securitySchemes) checkSecurity(document, operations, securitySchemes)
  app.setValidatorCompiler(validatorCompilerOf(document))
  acceptBodies(app, operations)
  knowAllMethods(app)

  const prefix = basePathOf(document)
  const byUrl = new Map<string, Operation[]>()
  for (const operation of operations) {
    const url = urlOf(operation.basePath.slice(prefix.length) + operation.path, operation.pointer)
    byUrl.set(url, [...(byUrl.get(url) ?? []), operation])
  }
  for (const [url, here] of byUrl) {
    const exposeHeadRoute = !here.some(({ method }) => method === 'head')
    for (const operation of here) {
      app.route({
        url,
        exposeHeadRoute,
        ...routeOf(app, operation, { document, serialize, around, handle: table.get(operation.operationId)! })
      })
    }
    registerOtherMethods(app, url, here)
  }
}

interface Parts {
  document: Document
  serialize: ReturnType<typeof serializerOf>
  around: Around
  handle: AnyHandler
}

function routeOf (
  app: FastifyInstance,
  operation: Operation,
  { document, serialize, around, handle }: Parts
): Omit<RouteOptions, 'url'> {
  const readParameters = parametersReaderOf(document, operation)
  const checkCookies = app.validatorCompiler!({
    schema: cookieSchemaOf(document, operation),
    httpPart: 'cookies',
    method: operation.method,
    url: operation.path
  }) as (cookies: unknown) => { value?: unknown; error?: Error }
  return {
    method: operation.method.toUpperCase(),
    schema: routeSchemaOf(document, operation),
    config: { operation, ...(operation.body ? { readBody: bodyReaderOf(document, operation.body.content) } : {}) },
    ...(operation.body ? { preParsing: refuseOtherMedia(operation.body.content) } : {}),
    preValidation: async (request) => {
      Object.assign(request, readParameters(request))
    },
    handler: async (request, reply) => {
      const { value: cookies, error } = checkCookies(request.cookies)
      if (error) throw error
      const { params, query, headers, body } = request
      const answer = await around(request, async () =>
        answerOf(await handle({ params, query, headers, cookies, body: operation.body && body }), operation, serialize)
      )
      return await reply.code(answer.status).headers(answer.headers).send(answer.body)
    }
  }
}

function registerOtherMethods (app: FastifyInstance, url: string, operations: Operation[]): void {
  const methods = operations.map(({ method }) => method.toUpperCase())
  const allowed = [
    ...new Set([...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'])
  ]
  const allow = allowed.join(', ')
  if (!methods.includes('OPTIONS')) app.options(url, (_request, reply) => reply.code(204).header('Allow', allow).send())
  app.route({
    method: NODE_METHODS.filter((method) => method !== 'CONNECT' && !allowed.includes(method)),
    url,
    // Refused here and not in a handler, so that no body is read for it.
    onRequest: async () => {
      throw new RequestError(405, undefined, { Allow: allow })
    },
    handler: () => {}
  })
}

/** Lets the router know every method that Node parses, so that none of them is a 404 on a path that exists. */
function knowAllMethods (app: FastifyInstance): void {
  for (const method of NODE_METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
}

function checkHandlers (operations: Operation[], handlers: Map<string, AnyHandler>): void {
  const ids = new Set(operations.map(({ operationId }) => operationId))
  for (const { operationId, pointer } of operations) {
    if (typeof handlers.get(operationId) !== 'function') {
      throw new ContractError(`The operation ${operationId} (${pointer}) has no handler.`)
    }
  }
  for (const name of handlers.keys()) {
    if (!ids.has(name)) throw new ContractError(`The handler ${name} answers no operation of the document.`)
  }
}
