import { ContractError } from '../document/contract-error.js'
import {
  METHODS,
  type Content,
  type Document,
  type Method,
  type OperationObject,
  type ParameterObject,
  type PathItem,
  type ResponseObject,
  type SecurityRequirement
} from '../document/openapi.js'
import { pointerTo, type Located } from '../document/pointer.js'
import { lookUp } from '../document/reference.js'
import { Schemas } from '../document/schemas.js'
import { serverPathOf } from '../document/servers.js'
import { checkBody, checkResponse } from './content.js'
import { readDeprecation, type Deprecation } from './deprecation.js'
import { checkPathParameters, mergeParameters } from './parameters.js'
import { routerUrlOf } from './path-template.js'

/**
 * One operation of the document with everything that it inherits: the flat form that the rest of the contract layer
 * reads.
 */
export interface Operation {
  operationId: string
  method: Method
  /** As in the document: `/pets/{petId}`. */
  path: string
  /** The path with that of its server in front: `/v1/pets/{petId}`. */
  route: string
  /** JSON pointer to the operation, for messages. */
  pointer: string
  summary: string | undefined
  tags: string[]
  parameters: ParameterObject[]
  body?: { required: boolean; content: Content }
  responses: Map<string, ResponseObject>
  /** The status of an answer that names none; undefined where the document has several that could be meant. */
  success: number | undefined
  /** Alternatives, of which one must hold; none: the operation is open. */
  security: SecurityRequirement[]
  deprecation: Deprecation | undefined
  stability?: 'experimental' | 'beta'
}

/** The media type of JSON. */
export const MEDIA_TYPE = 'application/json'

/**
 * Reads every operation of the document, in its order.
 * @throws {ContractError} for anything that could only be half-served, with its place
 */
export function operationsOf (document: Document): Operation[] {
  const schemas = new Schemas(document)
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, value]) => {
    const item = readPathItem(document, { value, pointer: pointerTo('#/paths', path) })
    for (const name of ['query', 'additionalOperations']) {
      if (!(name in item.value)) continue
      throw new ContractError(`${pointerTo(item.pointer, name)}: operations of the methods of OpenAPI 3.2 are not supported.`)
    }
    return METHODS.filter((method) => item.value[method]).map((method) => readOperation(schemas, path, method, item))
  })
  checkIds(operations)
  checkPaths(operations)
  return operations
}

/** Finds the response that an operation declares for a status: its own, that of its class (`2XX`), or the default. */
export function responseFor ({ responses }: Operation, status: number | string): ResponseObject | undefined {
  return responses.get(String(status)) ?? responses.get(`${String(status)[0]}XX`) ?? responses.get('default')
}

/** A path item, with what stands beside its `$ref` (OpenAPI 3.1.1, section 4.8.9.1). */
function readPathItem (document: Document, item: Located<PathItem>): Located<PathItem> {
  const { $ref, ...own } = item.value
  if ($ref === undefined) return item
  const target = readPathItem(document, { value: lookUp(document, $ref, item.pointer) as PathItem, pointer: $ref })
  return Object.keys(own).length === 0 ? target : { value: { ...target.value, ...own }, pointer: item.pointer }
}

function readOperation (schemas: Schemas, path: string, method: Method, item: Located<PathItem>): Operation {
  const pointer = pointerTo(item.pointer, method)
  const object = item.value[method]!
  if (!object.operationId) {
    throw new ContractError(`${pointer}: the operation has no operationId, so no handler can be named after it.`)
  }
  const { document } = schemas
  const responses = readResponses(schemas, { value: object, pointer })
  const basePath =
    serverPathOf(object.servers, pointer) ??
    serverPathOf(item.value.servers, item.pointer) ??
    serverPathOf(document.servers, '#') ??
    ''
  const operation: Operation = {
    operationId: object.operationId,
    method,
    path,
    route: basePath + path,
    pointer,
    summary: object.summary,
    tags: object.tags ?? [],
    parameters: mergeParameters(schemas, item, { value: object.parameters ?? [], pointer }),
    responses,
    success: successOf([...responses.keys()]),
    security: object.security ?? document.security ?? [],
    deprecation: readDeprecation(object, pointer)
  }
  const stability = object['x-stability']
  if (stability !== undefined) {
    if (stability !== 'experimental' && stability !== 'beta') {
      throw new ContractError(`${pointer}: x-stability is ${stability}; it may be experimental or beta.`)
    }
    operation.stability = stability
  }
  const body = readBody(schemas, method, { value: object, pointer })
  if (body) operation.body = body
  checkPathParameters(path, { value: operation.parameters, pointer })
  return operation
}

function readResponses (
  schemas: Schemas,
  { value: { responses = {} }, pointer }: Located<OperationObject>
): Operation['responses'] {
  const read = Object.entries(responses)
    .filter(([status]) => !status.startsWith('x-'))
    .map(([status, value]): [string, ResponseObject] => {
      const response = schemas.resolve({ value, pointer: pointerTo(pointer, 'responses', status) })
      checkResponse(response)
      return [status, response.value]
    })
  if (read.length === 0) return new Map([['default', {}]])
  if (read.every(([status]) => status.startsWith('1'))) {
    throw new ContractError(`${pointer}: every response is of 1xx, which answers no request (RFC 9110, section 15.2).`)
  }
  return new Map(read)
}

function readBody (
  schemas: Schemas,
  method: Method,
  { value: { requestBody }, pointer }: Located<OperationObject>
): Operation['body'] {
  if (!requestBody || !mayHaveBody(schemas.document, method)) return undefined
  const body = schemas.resolve({ value: requestBody, pointer: pointerTo(pointer, 'requestBody') })
  if (method === 'trace') {
    throw new ContractError(`${body.pointer}: a TRACE request has no body (RFC 9110, section 9.3.8).`)
  }
  checkBody(body)
  return { required: body.value.required ?? false, content: body.value.content }
}

/** The body of a GET or HEAD is to be ignored in 3.0 (OpenAPI 3.0.4, section 4.7.10.1); 3.1 allows it. */
function mayHaveBody ({ openapi }: Document, method: Method): boolean {
  return !openapi.startsWith('3.0') || (method !== 'get' && method !== 'head')
}

/** The one 2xx; 200 where only `2XX` or `default` stands for it. */
function successOf (statuses: string[]): number | undefined {
  const explicit = statuses.filter((status) => /^2\d\d$/.test(status))
  if (explicit.length > 0) return explicit.length === 1 ? Number(explicit[0]) : undefined
  return statuses.some((status) => status === '2XX' || status === 'default') ? 200 : undefined
}

/** An operationId names one operation, and each `x-successor` an operation that there is. */
function checkIds (operations: Operation[]): void {
  const byId = new Map<string, Operation>()
  for (const operation of operations) {
    const twin = byId.get(operation.operationId)
    // One operation that is served under two paths, each of which refers to it, has one handler.
    if (twin && twin.pointer !== operation.pointer) {
      throw new ContractError(
        `${operation.pointer}: the operationId ${operation.operationId} is already that of ${twin.pointer}.`
      )
    }
    byId.set(operation.operationId, operation)
  }
  for (const { deprecation, pointer } of operations) {
    if (deprecation?.successor && !byId.has(deprecation.successor)) {
      throw new ContractError(`${pointer}: x-successor names ${deprecation.successor}, which is no operationId.`)
    }
  }
}

/**
 * Two paths that differ only in the names of their parameters are one path; they are served where their methods tell
 * them apart.
 */
function checkPaths (operations: Operation[]): void {
  const byRoute = new Map<string, Operation>()
  for (const operation of operations) {
    const route = `${operation.method} ${routerUrlOf(operation.route, operation.pointer)}`
    const twin = byRoute.get(route)
    if (twin) {
      throw new ContractError(
        `${operation.pointer}: the path ${operation.path} is the same as ${twin.path}, ` +
          'so that no request could tell them apart.'
      )
    }
    byRoute.set(route, operation)
  }
}
