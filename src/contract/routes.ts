import { METHODS as NODE_METHODS } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Around } from './around.js'
import { ContractError } from './contract-error.js'
import type { Document } from './document.js'
import { Answer } from './handler.js'
import { parseJson } from './json.js'
import { MEDIA_TYPE, type Operation } from './operation.js'
import { resolve } from './reference.js'
import { RequestError } from './request-error.js'
import { routeSchemaOf } from './route-schema.js'
import { serializerCompilerOf } from './serializer.js'
import { validatorCompilerOf } from './validator.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation of the document that this route serves. */
    operation?: Operation
  }
}

type AnyHandler = (request: { params: unknown, query: unknown, headers: unknown, body: unknown }) => unknown

export interface ContractOptions {
  document: Document
  operations: Operation[]
  /** `HandlersOf<operations>`, which the compiler has checked; it is checked again here. */
  handlers: object
  /** The security schemes that the app enforces, as the document must declare them, and the scopes that it knows of each. */
  securitySchemes: Record<string, { type: string, scheme?: string, scopes?: readonly string[] }>
  around?: Around
}

/**
 * Registers a route for each operation of the document, with its schemas for validation and serialization, and on each path
 * `OPTIONS` (204 with `Allow`) and a 405 for every other method.
 * @throws {ContractError} when operations and handlers differ, or when a security scheme is not enforced
 */
export function registerRoutes (app: FastifyInstance, { document, operations, handlers, securitySchemes, around = (_request, work) => work() }: ContractOptions): void {
  const table = new Map(Object.entries(handlers as Record<string, AnyHandler>))
  checkHandlers(operations, table)
  checkSecurity(document, operations, securitySchemes)
  app.setValidatorCompiler(validatorCompilerOf(document))
  app.setSerializerCompiler(serializerCompilerOf(document))
  acceptOnlyJson(app)
  knowAllMethods(app)

  for (const path of new Set(operations.map(({ path }) => path))) {
    const here = operations.filter((operation) => operation.path === path)
    const exposeHeadRoute = !here.some(({ method }) => method === 'head')
    for (const operation of here) registerOperation(app, operation, table.get(operation.operationId)!, around, exposeHeadRoute)
    registerOtherMethods(app, path, here)
  }
}

function registerOperation (app: FastifyInstance, operation: Operation, handle: AnyHandler, around: Around, exposeHeadRoute: boolean): void {
  app.route({
    method: operation.method.toUpperCase(),
    exposeHeadRoute,
    url: urlOf(operation.path),
    schema: routeSchemaOf(operation),
    config: { operation },
    handler: async (request, reply) => {
      const { status, headers, body } = await around(request, async () => {
        const result = await handle({ params: request.params, query: request.query, headers: request.headers, body: request.body })
        const { body, headers, status = operation.success } = result instanceof Answer ? result : new Answer(result, {})
        if (body === undefined) return { status, headers, body }
        return { status, headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' }, body: reply.code(status).serialize(body) as string }
      })
      reply.code(status).headers(headers)
      // Fastify takes a string of this type for JSON that is ready to be sent.
      return body
    }
  })
}

function registerOtherMethods (app: FastifyInstance, path: string, operations: Operation[]): void {
  const methods = operations.map(({ method }) => method.toUpperCase())
  const allowed = [...new Set([...methods.flatMap((method) => method === 'GET' ? ['GET', 'HEAD'] : [method]), 'OPTIONS'])]
  const allow = allowed.join(', ')
  const url = urlOf(path)
  if (!methods.includes('OPTIONS')) app.options(url, (_request, reply) => reply.code(204).header('Allow', allow).send())
  app.route({
    method: NODE_METHODS.filter((method) => method !== 'CONNECT' && !allowed.includes(method)),
    url,
    // Refused here and not in a handler, so that no body is read for it.
    onRequest: async () => { throw new RequestError(405, undefined, { Allow: allow }) },
    handler: () => {}
  })
}

/** Lets the router know every method that Node parses, so that none of them is a 404 on a path that exists. */
function knowAllMethods (app: FastifyInstance): void {
  for (const method of NODE_METHODS) if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
}

function acceptOnlyJson (app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(MEDIA_TYPE, { parseAs: 'buffer' }, (request, body, done) => {
    if (request.headers['content-encoding'] !== undefined) return done(new RequestError(415))
    try { done(null, parseJson(body as Buffer)) } catch (error) { done(error as Error) }
  })
}

function checkHandlers (operations: Operation[], handlers: Map<string, AnyHandler>): void {
  for (const { operationId, pointer } of operations) {
    if (typeof handlers.get(operationId) !== 'function') throw new ContractError(`The operation ${operationId} (${pointer}) has no handler.`)
  }
  for (const name of handlers.keys()) {
    if (!operations.some(({ operationId }) => operationId === name)) throw new ContractError(`The handler ${name} answers no operation of the document.`)
  }
}

function checkSecurity (document: Document, operations: Operation[], enforced: ContractOptions['securitySchemes']): void {
  for (const { security, pointer } of operations) {
    for (const [name, scopes] of security.flatMap((requirement) => Object.entries(requirement))) {
      const known = enforced[name]
      if (!known) throw new ContractError(`${pointer}: the security scheme ${name} is not enforced by this app; it has ${Object.keys(enforced).join(', ') || 'none'}.`)
      const { value: declared } = resolve(document, { value: document.components?.securitySchemes?.[name], pointer })
      if (declared?.type !== known.type || declared.scheme?.toLowerCase() !== known.scheme) {
        throw new ContractError(`${pointer}: the security scheme ${name} must be of the type ${known.type} ${known.scheme ?? ''}, as this app enforces it.`)
      }
      const unknown = scopes.find((scope) => !known.scopes?.includes(scope))
      if (unknown !== undefined) throw new ContractError(`${pointer}: the security scheme ${name} asks for the scope ${unknown}, which this app does not know; it has ${known.scopes?.join(', ') || 'none'}.`)
    }
  }
}

/** `/pets/{petId}` as Fastify writes it: `/pets/:petId`. */
function urlOf (path: string): string {
  return path.replaceAll(':', '::').replace(/\{([^}]+)\}/g, ':$1')
}
