import type { FastifyInstance, FastifySchemaCompiler, RouteOptions } from 'fastify'
import { addBodyParsers } from './content-type-parser.js'
import { checkDefaults } from './default-check.js'
import { ContractError } from './document/contract-error.js'
import type { Document } from './document/openapi.js'
import type { Schema } from './document/schema.js'
import { Schemas } from './document/schemas.js'
import { basePathOf } from './document/servers.js'
import type { Operation } from './operation/operation.js'
import { routerUrlOf } from './operation/path-template.js'
import { checkSecurity, type EnforcedScheme } from './operation/security.js'
import { addAllMethods, registerOtherMethods } from './other-methods.js'
import { requestSchemasOf, uncheckedBodiesOf, type RequestSchemas } from './request-schemas.js'
import { bodyReaderOf } from './request/body/body.js'
import { parametersReaderOf, queryOf } from './request/parameters.js'
import { emptySegmentCheckOf } from './request/path.js'
import { refusalOf, type RequestPart } from './request/request-error.js'
import type { Interceptor, SerializedResponse, Work } from './response/interceptor.js'
import { responderOf } from './response/response.js'
import { serializerOf, type Serialize } from './response/serializer.js'
import { partValidatorsOf } from './validation/validator.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation of the document that this route serves. */
    operation?: Operation
    /** The path of this route as the document has it: `/v1/pets/{petId}`. Its `url` is in the form of the router. */
    route?: string
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
  /** What wraps the work of the operations, the outermost first. */
  interceptors?: Interceptor[]
}

const UNCHECKED =
  'Some request bodies are not checked, as their schemas cannot describe what is sent; handlers get them as they are.'

/**
 * Registers a route for each operation of the document, which validates its requests and serializes its answers; and on
 * each path `OPTIONS` (204 with `Allow`) and a 405 for every other method. The app must have the path that {@link
 * basePathOf} gives as its prefix. Its log says which request bodies are not checked.
 * @throws {ContractError} when operations and handlers differ, a security scheme is not enforced, or a default does not
 * fit its schema
 */
export function registerRoutes (
  app: FastifyInstance,
  { document, operations, handlers, securitySchemes, serialize, interceptors = [] }: ContractOptions
): void {
  const schemas = new Schemas(document)
  const handlerById = new Map(Object.entries(handlers as Record<string, AnyHandler>))
  checkHandlers(operations, handlerById)
  checkDefaults(document, operations)
  if (securitySchemes) checkSecurity(schemas, operations, securitySchemes)
  const unchecked = uncheckedBodiesOf(schemas, operations)
  if (unchecked.length > 0) app.log.warn({ unchecked }, UNCHECKED)
  const beforeParsing = addBodyParsers(app, operations)
  addAllMethods(app)
  app.decorateRequest('cookies', undefined)
  app.decorateRequest('contentKey', undefined)

  const validatorOf = partValidatorsOf(schemas)
  const shared: Shared = {
    schemas,
    validatorOf,
    beforeParsing,
    serialize: serialize ?? serializerOf(schemas),
    interceptors
  }
  const prefix = basePathOf(document)
  const byUrl = new Map<string, Operation[]>()
  for (const operation of operations) {
    const url = routerUrlOf(operation.route.slice(prefix.length), operation.pointer)
    byUrl.set(url, [...(byUrl.get(url) ?? []), operation])
  }
  for (const [url, here] of byUrl) {
    const onRequest = [emptySegmentCheckOf(url) ?? []].flat()
    const exposeHeadRoute = !here.some(({ method }) => method === 'head')
    for (const operation of here) {
      const handle = handlerById.get(operation.operationId)!
      app.route({ url, exposeHeadRoute, onRequest, ...routeOf(operation, handle, shared) })
    }
    registerOtherMethods(app, url, onRequest, here)
  }
}

/** What the routes of a document have in common. */
interface Shared {
  schemas: Schemas
  validatorOf: ReturnType<typeof partValidatorsOf>
  beforeParsing: ReturnType<typeof addBodyParsers>
  serialize: Serialize
  interceptors: Interceptor[]
}

function routeOf (
  operation: Operation,
  handle: AnyHandler,
  { schemas, validatorOf, beforeParsing, serialize, interceptors }: Shared
): Omit<RouteOptions, 'url'> {
  const { body } = operation
  const { cookies, bodies, ...parts } = requestSchemasOf(schemas, operation)
  const read = parametersReaderOf(schemas, operation)
  const validateCookies = read.cookies && validatorOf('cookie', cookies)
  const validateBody = bodyValidatorOf(body?.required ?? false, { params: parts.params, bodies }, validatorOf)
  const respond = responderOf(operation, serialize)
  const handleAndRespond: Work = async ({ params, query, headers, cookies, body: sent }) =>
    respond(await handle({ params, query, headers, cookies, body: body && sent }))
  const work = interceptors.reduceRight((work, intercept) => intercept(operation, work), handleAndRespond)
  const preParsing = beforeParsing(operation)
  return {
    method: operation.method.toUpperCase(),
    validatorCompiler: validatorCompilerOf({ schemas, validatorOf }),
    schema: { ...parts, ...(bodies.size === 1 ? { body: bodySchemaOf(bodies) } : {}) },
    config: { operation, route: operation.route, ...(body ? { readBody: bodyReaderOf(schemas, body.content) } : {}) },
    ...(preParsing ? { preParsing } : {}),
    preValidation: (request, _reply, done) => {
      try {
        const { url = '', headers: received } = request.raw
        request.params = read.params(url, request.params as Record<string, string>)
        request.query = read.query(queryOf(url))
        request.cookies = read.cookies?.(received.cookie ?? '') ?? NO_COOKIES
        const headers = read.headers(received)
        // Whoever reads the headers of a request that were set gets a copy of all of them.
        if (headers) request.headers = headers as typeof request.headers
        done(validateBody(request))
      } catch (error) {
        done(error as Error)
      }
    },
    handler: (request, reply) => {
      const fault = validateCookies?.(request.cookies)
      if (fault) throw fault
      const send = ({ status, headers, body }: SerializedResponse): void => {
        reply.code(status).headers(headers).send(body)
      }
      // Not returned to Fastify, which would send nothing once more while the response waits in a hook.
      work(request).then(send).catch((thrown: unknown) => {
        reply.send(thrown instanceof Error ? thrown : new Error(`Thrown: ${String(thrown)}`))
      })
    }
  }
}

/** What a request has for cookies that its operation does not declare. */
const NO_COOKIES = Object.freeze({})

/** Fastify's names of the parts of a request that it validates. */
const PARTS: Record<string, RequestPart> = { params: 'path', querystring: 'query', headers: 'header', body: 'body' }

/** Makes what Fastify asks to compile the schemas of a route. */
function validatorCompilerOf ({
  schemas,
  validatorOf
}: Pick<Shared, 'schemas' | 'validatorOf'>): FastifySchemaCompiler<unknown> {
  return ({ schema: declared, httpPart }) => {
    const schema = declared as Schema
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

/** The schema of the one body as Fastify takes it: an object whose keyword `content` is no map of media types. */
function bodySchemaOf (bodies: RequestSchemas['bodies']): Schema {
  const [schema = {}] = bodies.values()
  return typeof schema === 'boolean' || 'content' in schema ? { allOf: [schema] } : schema
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
      return required ? (validatePath(params) ?? refusalOf('body', [], 'is required')) : undefined
    }
    if (body !== null && validators.size === 1) return undefined
    return validatePath(params) ?? validators.get(contentKey)!(body)
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
