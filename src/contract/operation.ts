import { ContractError } from './contract-error.js'
import { readDeprecation, type Deprecation } from './deprecation.js'
import { METHODS, type Document, type Method, type ParameterObject, type PathItem, type ResponseObject, type SecurityRequirement } from './document.js'
import { pointerTo, resolve, type Place } from './reference.js'
import { typesOf, type Schema } from './schema.js'

/** One operation of the document with everything that it inherits: the flat form that the rest of the contract layer reads. */
export interface Operation {
  operationId: string
  method: Method
  /** As in the document: `/pets/{petId}`. */
  path: string
  /** JSON pointer to the operation, for messages. */
  pointer: string
  summary: string | undefined
  tags: string[]
  parameters: ParameterObject[]
  body?: { required: boolean, schema: Schema }
  responses: Map<string, ResponseObject>
  /** Its one 2xx status. */
  success: number
  /** Alternatives, of which one must hold; none: the operation is open. */
  security: SecurityRequirement[]
  deprecation: Deprecation | undefined
  stability?: 'experimental' | 'beta'
}

/** The only media type of request and response bodies that is served. */
export const MEDIA_TYPE = 'application/json'

/**
 * Every operation of the document, in its order.
 * @throws {ContractError} for anything that could only be half-served, with its place
 */
export function operationsOf (document: Document): Operation[] {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) => {
    const { value, pointer } = resolve(document, { value: item, pointer: pointerTo('#/paths', path) })
    return METHODS.filter((method) => value[method]).map((method) => readOperation(document, path, method, { value, pointer }))
  })
  const ids = new Map<string, Operation>()
  for (const operation of operations) {
    const twin = ids.get(operation.operationId)
    if (twin) throw new ContractError(`${operation.pointer}: the operationId ${operation.operationId} is already that of ${twin.pointer}.`)
    ids.set(operation.operationId, operation)
  }
  for (const { deprecation, pointer } of operations) {
    if (deprecation?.successor && !ids.has(deprecation.successor)) throw new ContractError(`${pointer}: x-successor names ${deprecation.successor}, which is no operationId.`)
  }
  return operations
}

function readOperation (document: Document, path: string, method: Method, item: Place<PathItem>): Operation {
  const pointer = pointerTo(item.pointer, method)
  const object = item.value[method]!
  if (!object.operationId) throw new ContractError(`${pointer}: the operation has no operationId, so no handler can be named after it.`)

  const responses = new Map(Object.entries(object.responses ?? {}).map(([status, response]) =>
    [status, resolve(document, { value: response, pointer: pointerTo(pointer, 'responses', status) }).value]))
  for (const [status, { content }] of responses) checkMedia(pointerTo(pointer, 'responses', status), content)
  const successes = [...responses.keys()].filter((status) => /^2\d\d$/.test(status))
  if (successes.length !== 1) throw new ContractError(`${pointer}: the operation has ${successes.length} responses of 2xx; a handler answers with exactly one.`)

  const operation: Operation = {
    operationId: object.operationId,
    method,
    path,
    pointer,
    summary: object.summary,
    tags: object.tags ?? [],
    parameters: mergeParameters(document, item, pointer, object.parameters),
    responses,
    success: Number(successes[0]),
    security: object.security ?? document.security ?? [],
    deprecation: readDeprecation(object, pointer)
  }
  const stability = object['x-stability']
  if (stability !== undefined) {
    if (stability !== 'experimental' && stability !== 'beta') throw new ContractError(`${pointer}: x-stability is ${stability}; it may be experimental or beta.`)
    operation.stability = stability
  }
  if (object.requestBody) {
    const body = resolve(document, { value: object.requestBody, pointer: pointerTo(pointer, 'requestBody') })
    if (method === 'get' || method === 'head') throw new ContractError(`${body.pointer}: a ${method.toUpperCase()} request has no body (RFC 9110, section 9.3.1).`)
    checkMedia(body.pointer, body.value.content)
    operation.body = { required: body.value.required ?? false, schema: body.value.content[MEDIA_TYPE]?.schema ?? {} }
  }
  checkPathParameters(operation)
  return operation
}

/** The parameters of the operation, then those of its path that it does not replace (same name and place). */
function mergeParameters (document: Document, item: Place<PathItem>, pointer: string, own: ParameterObject[] = []): ParameterObject[] {
  const read = (parameters: ParameterObject[], parent: string) => parameters.map((parameter, index) => {
    const place = resolve(document, { value: parameter, pointer: pointerTo(parent, 'parameters', index) })
    checkParameter(document, place)
    return place.value
  })
  const mine = read(own, pointer)
  const inherited = read(item.value.parameters ?? [], item.pointer)
  return [...mine, ...inherited.filter((theirs) => !mine.some(({ name, in: where }) => name === theirs.name && where === theirs.in))]
}

function checkParameter (document: Document, { value: parameter, pointer }: Place<ParameterObject>): void {
  const unserved = (what: string) => new ContractError(`${pointer}: the parameter '${parameter.name}' ${what}, which is not supported.`)
  if (parameter.in === 'cookie') throw unserved('is in a cookie')
  if (parameter.content || !parameter.schema) throw unserved('has content instead of a schema')
  const style = parameter.style ?? (parameter.in === 'query' ? 'form' : 'simple')
  if (style !== (parameter.in === 'query' ? 'form' : 'simple')) throw unserved(`has the style ${style}`)
  if (parameter.in === 'query' && parameter.explode === false) throw unserved('has explode: false')
  const types = typesOf(document, parameter.schema)
  if (types.includes('object')) throw unserved('is an object')
  if (types.includes('array') && parameter.in !== 'query') throw unserved('is an array outside the query')
}

function checkPathParameters ({ path, parameters, pointer }: Operation): void {
  const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
  const declared = parameters.filter(({ in: where }) => where === 'path').map(({ name }) => name)
  for (const name of inPath) if (!declared.includes(name!)) throw new ContractError(`${pointer}: the path has {${name}}, but no parameter of that name is declared.`)
  for (const name of declared) if (!inPath.includes(name)) throw new ContractError(`${pointer}: the path parameter '${name}' does not stand in the path.`)
  const odd = inPath.find((name) => !/^\w+$/.test(name!))
  if (odd !== undefined) throw new ContractError(`${pointer}: the path parameter '${odd}' may have only letters, digits and _ in its name.`)
  if (path.includes('*')) throw new ContractError(`${pointer}: the path ${path} has a *, which is not supported.`)
  if (path.split('/').some((segment) => segment.includes('{') && !/^\{\w+\}$/.test(segment))) throw new ContractError(`${pointer}: a path segment is either fixed or one parameter; ${path} mixes them.`)
}

function checkMedia (pointer: string, content: Record<string, unknown> = {}): void {
  const other = Object.keys(content).find((type) => type !== MEDIA_TYPE)
  if (other !== undefined) throw new ContractError(`${pointer}: the media type ${other} is not supported; only ${MEDIA_TYPE} is.`)
}
