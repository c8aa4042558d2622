import type { FastifyRequest } from 'fastify'
import { ContractError } from '../document/contract-error.js'
import type { Document, ParameterObject, PathItem } from '../document/document.js'
import { pairsReadersOf } from './body/form.js'
import { isJson, isText, mediaTypeOf } from '../document/media-type.js'
import type { Operation } from '../operation/operation.js'
import { cookiesOf, decodeForm, pairsOf, type Pairs } from './pairs.js'
import { shapeOf, valueReaderOf } from './parameter.js'
import { namesIn, pathReaderOf } from './path.js'
import { pointerTo, resolve, type Place } from '../document/reference.js'
import { typesOf } from '../document/schema.js'
import { STYLES, styleOf } from './style.js'

/**
 * Headers that OpenAPI describes elsewhere, so that a parameter of the name is to be ignored (OpenAPI 3.1.1, section
 * 4.8.12.2).
 */
const DESCRIBED_ELSEWHERE = new Set(['accept', 'content-type', 'authorization'])

/**
 * The parameters of the operation, then those of its path that it does not replace (same name and place).
 * @throws {ContractError} for one that could only be half-served
 */
export function mergeParameters (
  document: Document,
  item: Place<PathItem>,
  pointer: string,
  own: ParameterObject[] = []
): ParameterObject[] {
  const read = (parameters: ParameterObject[], parent: string) =>
    parameters.map((parameter, index) => {
      const place = resolve(document, { value: parameter, pointer: pointerTo(parent, 'parameters', index) })
      checkParameter(document, place)
      return place.value
    })
  const mine = read(own, pointer)
  const inherited = read(item.value.parameters ?? [], item.pointer).filter(
    (theirs) => !mine.some((parameter) => keyOf(parameter) === keyOf(theirs))
  )
  const parameters = [...mine, ...inherited].filter(
    ({ in: where, name }) => where !== 'header' || !DESCRIBED_ELSEWHERE.has(name.toLowerCase())
  )
  const twin = parameters.find(
    (parameter, index) => parameters.findIndex((other) => keyOf(other) === keyOf(parameter)) !== index
  )
  if (twin) throw new ContractError(`${pointer}: the parameter '${twin.name}' is declared twice.`)
  return parameters
}

/** Header names know no case. */
function keyOf ({ in: where, name }: ParameterObject): string {
  return `${where} ${where === 'header' ? name.toLowerCase() : name}`
}

function checkParameter (document: Document, { value: parameter, pointer }: Place<ParameterObject>): void {
  const { in: where, name } = parameter
  const unserved = (what: string) =>
    new ContractError(`${pointer}: the parameter '${name}' ${what}, which is not supported.`)
  if (parameter.content) {
    const [type = ''] = Object.keys(parameter.content)
    const media = mediaTypeOf(type)
    if (!media || !(isJson(media) || isText(media))) throw unserved(`has content of ${type}`)
    return
  }
  const { style } = styleOf(parameter)
  if (STYLES[where] === undefined) {
    throw new ContractError(`${pointer}: this is referred to as a parameter, but is none.`)
  }
  if (!STYLES[where].includes(style)) throw unserved(`is in the ${where} and has the style ${style}`)
  const types = typesOf(document, parameter.schema ?? {})
  if (style === 'deepObject' && shapeOf(types) === 'scalar') {
    throw unserved('has the style deepObject, but is no object')
  }
  if (style !== 'deepObject' && types.includes('object') && types.includes('array')) {
    throw unserved(`may be an object or an array, which look the same in the style ${style}`)
  }
}

/**
 * @throws {ContractError} when the parameters of a path and those that are declared differ
 */
export function checkPathParameters ({
  path,
  parameters,
  pointer
}: Pick<Operation, 'path' | 'parameters' | 'pointer'>): void {
  const inPath = namesIn(path)
  const declared = parameters.filter(({ in: where }) => where === 'path').map(({ name }) => name)
  for (const name of inPath) {
    if (!declared.includes(name)) {
      throw new ContractError(`${pointer}: the path has {${name}}, but no parameter of that name is declared.`)
    }
  }
  for (const name of declared) {
    if (!inPath.includes(name)) {
      throw new ContractError(`${pointer}: the path parameter '${name}' does not stand in the path.`)
    }
  }
}

/**
 * What a request has for the parameters of its operation, in the types of their schemas; what none of them declares is
 * among them.
 */
export interface ParameterValues {
  params: Record<string, unknown>
  query: Record<string, unknown>
  headers: Record<string, unknown>
  cookies: Record<string, unknown>
}

/** Reads the parameters of an operation from a request. Nothing is checked but that their styles are kept. */
export function parametersReaderOf (
  document: Document,
  { path, parameters }: Operation
): (request: FastifyRequest) => ParameterValues {
  const within = (where: ParameterObject['in']) => parameters.filter((parameter) => parameter.in === where)
  const readPath = pathReaderOf(document, path, parameters)
  const readQuery = pairsReadersOf(document, within('query'))
  const readCookies = pairsReadersOf(document, within('cookie'))
  const headers = within('header').map((parameter) => ({
    name: parameter.name.toLowerCase(),
    read: valueReaderOf(document, parameter)
  }))
  return (request) => {
    const url = request.raw.url ?? ''
    const pairs = pairsOf(queryOf(url))
    const query = readQuery(pairs)
    const sent = headers.filter(({ name }) => request.headers[name] !== undefined)
    return {
      params: readPath(url),
      query: Object.fromEntries([...query, ...unknownIn(pairs)]),
      headers: {
        ...request.headers,
        ...Object.fromEntries(sent.map(({ name, read }) => [name, read([request.headers[name]].flat() as string[])]))
      },
      cookies: Object.fromEntries(readCookies(cookiesOf(request.headers.cookie ?? '')))
    }
  }
}

function queryOf (url: string): string {
  const [target = ''] = url.split('#', 1)
  const at = target.indexOf('?')
  return at === -1 ? '' : target.slice(at + 1)
}

function unknownIn (pairs: Pairs): [name: string, value: unknown][] {
  return [...pairs].map(([name, texts]) => [name, decodeForm(texts[0]!)])
}
