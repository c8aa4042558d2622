import { serverPathOf } from '../document/servers.js'
import { ContractError } from '../document/contract-error.js'
import { readDeprecation, type Deprecation } from './deprecation.js'
import {
  METHODS,
  type Content,
  type Document,
  type Method,
  type ParameterObject,
  type PathItem,
  type ResponseObject,
  type SecurityRequirement
} from '../document/document.js'
import { checkBody, checkResponse } from './content.js'
import { checkPathParameters, mergeParameters } from '../request/parameters.js'
import { urlOf } from '../request/path.js'
import { lookUp, pointerTo, resolve, type Place } from '../document/reference.js'

/**
 * One operation of the document with everything that it inherits: the flat form that the rest of the contract layer
 * reads.
 */
export interface Operation {
  operationId: string
  method: Method
  /** As in the document: `/pets/{petId}`. */
  path: string
  /** The path of its server. */
  basePath: string
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

/** The media type of JSON, in which this project's own document has all bodies. */
export const MEDIA_TYPE = 'application/json'

/**
 * Every operation of the document, in its order.
 * @throws {ContractError} for anything that could only be half-served, with its place
 */
export function operationsOf (document: Document): Operation[] {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) => {
    const place = readItem(document, { value: item, pointer: pointerTo('#/paths', path) })
    return METHODS.filter((method) => place.value[method]).map((method) => readOperation(document, path, method, place))
  })
  const ids = new Map<string, Operation>()
  for (const operation of operations) {
    const twin = ids.get(operation.operationId)
    // One operation that is served under two paths, each of which refers to it, has one handler.
    if (twin && twin.pointer !== operation.pointer) {
      throw new ContractError(
        `${operation.pointer}: the operationId ${operation.operationId} is already that of ${twin.pointer}.`
      )
    }
    ids.set(operation.operationId, operation)
  }
  for (const { deprecation, pointer } of operations) {
    if (deprecation?.successor && !ids.has(deprecation.successor)) {
      throw new ContractError(`${pointer}: x-successor names ${deprecation.successor}, which is no operationId.`)
    }
  }
  checkPaths(operations)
  return operations
}

/** A path item, with what stands beside its `$ref` (OpenAPI 3.1.1, section 4.8.9.1). */
function readItem (document: Document, place: Place<PathItem>): Place<PathItem> {
  const { $ref, ...own } = place.value
  if ($ref === undefined) return place
  const target = readItem(document, { value: lookUp(document, $ref, place.pointer) as PathItem, pointer: $ref })
  return Object.keys(own).length === 0 ? target : { value: { ...target.value, ...own }, pointer: place.pointer }
}

function readOperation (document: Document, path: string, method: Method, item: Place<PathItem>): Operation {
  const pointer = pointerTo(item.pointer, method)
  const object = item.value[method]!
  if (!object.operationId) {
    throw new ContractError(`${pointer}: the operation has no operationId, so no handler can be named after it.`)
  }

  const responses = new Map(
    Object.entries(object.responses ?? {})
      .filter(([status]) => !status.startsWith('x-'))
      .map(([status, response]) => {
        const place = resolve(document, { value: response, pointer: pointerTo(pointer, 'responses', status) })
        checkResponse(place)
        return [status, place.value]
      })
  )
  if (responses.size === 0) responses.set('default', {})
  if ([...responses.keys()].every((status) => /^1/.test(status))) {
    throw new ContractError(`${pointer}: every response is of 1xx, which answers no request (RFC 9110, section 15.2).`)
  }
  const operation: Operation = {
    operationId: object.operationId,
    method,
    path,
    basePath:
      serverPathOf(object.servers, pointer) ??
      serverPathOf(item.value.servers, item.pointer) ??
      serverPathOf(document.servers, '#') ??
      '',
    pointer,
    summary: object.summary,
    tags: object.tags ?? [],
    parameters: mergeParameters(document, item, pointer, object.parameters),
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
  const body =
    object.requestBody && hasBody(document, method)
      ? resolve(document, { value: object.requestBody, pointer: pointerTo(pointer, 'requestBody') })
      : undefined
  if (body) {
    if (method === 'trace') {
      throw new ContractError(`${body.pointer}: a TRACE request has no body (RFC 9110, section 9.3.8).`)
    }
    checkBody(document, body)
    operation.body = { required: body.value.required ?? false, content: body.value.content }
  }
  checkPathParameters(operation)
  return operation
}

/** The body of a GET or HEAD is to be ignored in 3.0 (OpenAPI 3.0.4, section 4.7.10.1); 3.1 allows it. */
function hasBody ({ openapi }: Document, method: Method): boolean {
  return !openapi.startsWith('3.0') || (method !== 'get' && method !== 'head')
}

/** The one 2xx; 200 where only `2XX` or `default` stands for it. */
function successOf (statuses: string[]): number | undefined {
  const explicit = statuses.filter((status) => /^2\d\d$/.test(status))
  if (explicit.length > 0) return explicit.length === 1 ? Number(explicit[0]) : undefined
  return statuses.some((status) => status === '2XX' || status === 'default') ? 200 : undefined
}

/**
 * Two paths that differ only in the names of their parameters are one path; they are served where their methods tell
 * them apart.
 */
function checkPaths (operations: Operation[]): void {
  const routes = new Map<string, Operation>()
  for (const operation of operations) {
    const url = urlOf(operation.basePath + operation.path, operation.pointer)
    const twin = routes.get(`${operation.method} ${url}`)
    if (twin) {
      throw new ContractError(
        `${operation.pointer}: the path ${operation.path} is the same as ${twin.path}, so that no request could tell them apart.`
      )
    }
    routes.set(`${operation.method} ${url}`, operation)
  }
}
