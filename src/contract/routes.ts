import { METHODS as NODE_METHODS } from 'node:http'
import type { FastifyInstance, FastifySchemaCompiler, RouteOptions } from 'fastify'
import { addBodyParsers, refuseOtherMediaTypes } from './content-type-parser.js'
import { ContractError } from './document/contract-error.js'
import type { Document } from './document/openapi.js'
import type { Schema } from './document/schema.js'
import { Schemas } from './document/schemas.js'
import { basePathOf } from './document/servers.js'
import type { Operation } from './operation/operation.js'
import { routerUrlOf } from './operation/path-template.js'
import { checkSecurity, type EnforcedScheme } from './operation/security.js'
import { requestSchemasOf, uncheckedBodiesOf, type RequestSchemas } from './request-schemas.js'
import { bodyReaderOf } from './request/body/body.js'
import type { RequestPart } from './request/message.js'
import { parametersReaderOf } from './request/parameters.js'
import { RequestError } from './request/request-error.js'
import type { Interceptor } from './response/interceptor.js'
import { responderOf } from './response/response.js'
import { serializerOf, type Serialize } from './response/serializer.js'
import { partValidatorsOf } from './validation/validator.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation of the document that this route serves. */
    operation?: Operation
  }
  interface FastifyRequest {
    /** The cookies that the operation declares, set by {@link registerRoutes}. */
    cookies?: unknown
  }
}

/** A handler whose types the compiler has checked before. */
type AnyHandler = (request: {
  params: unknown
  query: unknown
  headers: unknown
  cookies: unknown
  body: unknown
}) => unknown

/** What {@link registerRoutes} makes routes of. */
export interface ContractOptions {
  document: Document
  operations: Operation[]
  /** `HandlersOf<operations>`, which the compiler has checked; it is checked again here. */
  handlers: object
  /**
   * The security schemes that the app enforces, as the document must declare them; undefined when it enforces none, as
   * a mock does.
   */
  securitySchemes: Record<string, EnforcedScheme> | undefined
  /** Writes the JSON of an answer; unless given by its schema, which leaves out what that does not declare. */
  serialize?: Serialize
  /** Is called in the place of the work of every operation; unless given nothing is. */
  interceptor?: Interceptor
}

const UNCHECKED =
  'Some request bodies are not checked, as their schemas cannot describe what is sent; handlers get them as they are.'

const doWork: Interceptor = (_request, work) => work()

/**
 * Registers a route for each operation of the document, which validates its requests and serializes its answers; and on
 * each path `OPTIONS` (204 with `Allow`) and a 405 for every other method. The app must have the path that {@link
 * basePathOf} gives as its prefix. Its log says which request bodies are not checked.
 * @throws {ContractError} when operations and handlers differ, or when a security scheme is not enforced
 */
export function registerRoutes (
  app: FastifyInstance,
  { document, operations, handlers, securitySchemes, serialize, interceptor = doWork }: ContractOptions
): void {
  const schemas = new Schemas(document)
  const handlerById = new Map(Object.entries(handlers as Record<string, AnyHandler>))
  checkHandlers(operations, handlerById)
  if (securitySchemes) checkSecurity(schemas, operations, securitySchemes)
  const unchecked = uncheckedBodiesOf(schemas, operations)
  if (unchecked.length > 0) app.log.warn({ unchecked }, UNCHECKED)
  addBodyParsers(app, operations)
  addAllMethods(app)

  const validatorOf = partValidatorsOf(schemas)
  app.setValidatorCompiler(validatorCompilerOf({ schemas, validatorOf }))
  const shared: Shared = {
    schemas,
    validatorOf,
    serialize: serialize ?? serializerOf(schemas),
    interceptor
  }
  const prefix = basePathOf(document)
  const byUrl = new Map<string, Operation[]>()
  for (const operation of operations) {
    const url = routerUrlOf(operation.basePath.slice(prefix.length) + operation.path, operation.pointer)
    byUrl.set(url, [...(byUrl.get(url) ?? []), operation])
  }
  for (const [url, here] of byUrl) {
    const exposeHeadRoute = !here.some(({ method }) => method === 'head')
    for (const operation of here) {
      const handle = handlerById.get(operation.operationId)!
      app.route({ url, exposeHeadRoute, ...routeOf(operation, handle, shared) })
    }
    registerOtherMethods(app, url, here)
  }
}

/** What the routes of a document have in common. */
interface Shared {
  schemas: Schemas
  validatorOf: ReturnType<typeof partValidatorsOf>
  serialize: Serialize
  interceptor: Interceptor
}

function routeOf (
  operation: Operation,
  handle: AnyHandler,
  { schemas, validatorOf, serialize, interceptor }: Shared
): Omit<RouteOptions, 'url'> {
  const { body } = operation
  const { cookies, bodies, ...parts } = requestSchemasOf(schemas, operation)
  const readParameters = parametersReaderOf(schemas, operation)
  const validateCookies = validatorOf('cookie', cookies)
  const validateBody = bodyValidatorOf(body?.required ?? false, { params: parts.params, bodies }, validatorOf)
  const respond = responderOf(operation, serialize)
  return {
    method: operation.method.toUpperCase(),
    schema: { ...parts, ...(bodies.size === 1 ? { body: bodySchemaOf(bodies) } : {}) },
    config: { operation, ...(body ? { readBody: bodyReaderOf(schemas, body.content) } : {}) },
    ...(body ? { preParsing: refuseOtherMediaTypes(body.content) } : {}),
    preValidation: (request, _reply, done) => {
      try {
        const { params, query, headers, cookies } = readParameters(request)
        Object.assign(request, { params, query, cookies })
        // Whoever reads the headers of a request that were set gets a copy of all of them.
        if (headers) request.headers = headers as typeof request.headers
        done(validateBody(request))
      } catch (error) {
        done(error as Error)
      }
    },
    handler: async (request, reply) => {
      const fault = validateCookies(request.cookies)
      if (fault) throw fault
      const { params, query, headers, cookies } = request
      const response = await interceptor(request, async () => {
        const result = await handle({ params, query, headers, cookies, body: body && request.body })
        return respond(result)
      })
      return await reply.code(response.status).headers(response.headers).send(response.body)
    }
  }
}

/** Fastify's names of the parts of a request that it validates. */
const PARTS: Record<string, RequestPart> = { params: 'path', querystring: 'query', headers: 'header', body: 'body' }

/** Makes what Fastify asks to compile the schemas of a route. */
function validatorCompilerOf ({
  schemas,
  validatorOf
}: Pick<Shared, 'schemas' | 'validatorOf'>): FastifySchemaCompiler<Schema> {
  return ({ schema, httpPart }) => {
    const validate = validatorOf(PARTS[httpPart!]!, schema)
    const properties = Object.values(schema.properties ?? {})
    const setsDefaults = properties.some((one) => schemas.dereference(one).default !== undefined)
    return (value: unknown) => {
      // Fastify gives null for a body that was not sent, too; which it was is known before.
      if (value === null) return true
      const fault = validate(value)
      if (fault) return { error: fault }
      // The headers come back where they may have a default now, which would be lost in the copy that Fastify gives.
      return httpPart === 'headers' && !setsDefaults ? true : { value }
    }
  }
}

/** The schema of the one body, so that Fastify does not take a keyword `content` in it for its map of media types. */
function bodySchemaOf (bodies: RequestSchemas['bodies']): Schema {
  const [schema = {}] = bodies.values()
  return 'content' in schema ? { allOf: [schema] } : schema
}

/**
 * Makes a validator of what Fastify cannot judge of a body: that it was not sent, is null, or one of several types. As
 * Fastify does, it judges the path first.
 */
function bodyValidatorOf (
  required: boolean,
  { params: paramsSchema, bodies }: Pick<RequestSchemas, 'params' | 'bodies'>,
  validatorOf: Shared['validatorOf']
) {
  const validatePath = validatorOf('path', paramsSchema)
  const validators = new Map([...bodies].map(([key, schema]) => [key, validatorOf('body', schema)]))
  return ({ params, body, contentKey }: { params: unknown; body: unknown; contentKey?: string }) => {
    if (contentKey === undefined) {
      return required ? (validatePath(params) ?? new RequestError(400, 'The body is required.')) : undefined
    }
    if (body !== null && validators.size === 1) return undefined
    return validatePath(params) ?? validators.get(contentKey)!(body)
  }
}

function registerOtherMethods (app: FastifyInstance, url: string, operations: Operation[]): void {
  const methods = operations.map(({ method }) => method.toUpperCase())
  const withHead = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  const allowed = [...new Set([...withHead, 'OPTIONS'])]
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
function addAllMethods (app: FastifyInstance): void {
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
