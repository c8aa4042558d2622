import type { EncodingObject, MediaTypeObject, ParameterObject } from '../../document/document.js'
import { isJson, mediaTypeOf } from '../../document/media-type.js'
import { pairsOf, type Pairs } from '../pairs.js'
import { isExploded, pairsReaderOf } from '../parameter.js'
import { propertiesOf, propertyOf, typesOf, type Schema } from '../../document/schema.js'

/**
 * Reads an `application/x-www-form-urlencoded` body by its schema. A property is written as a query parameter of its
 * style is; without a style an array is the repeated property, an object is JSON (OpenAPI 3.1.1, sections 4.8.14.4 and
 * 4.8.15.1).
 */
export function formReaderOf (
  document: object,
  { schema = {}, encoding = {} }: MediaTypeObject
): (text: string) => Record<string, unknown> {
  const { names } = propertiesOf(document, schema)
  const parameters = [...names].map((name) =>
    fieldOf(document, name, propertyOf(document, schema, name), encoding[name])
  )
  const read = pairsReadersOf(document, parameters)
  const extra = (name: string, pairs: Pairs) =>
    pairsReaderOf(document, fieldOf(document, name, propertyOf(document, schema, name), encoding[name]), names)(pairs)
  return (text) => {
    const pairs = pairsOf(text)
    const values = read(pairs)
    for (const name of [...pairs.keys()]) values.push([name, extra(name, pairs)])
    return Object.fromEntries(values)
  }
}

/** Reads all of some parameters; what is left in the pairs was declared by none of them. */
export function pairsReadersOf (
  document: object,
  parameters: ParameterObject[]
): (pairs: Pairs) => [name: string, value: unknown][] {
  const names = new Set(parameters.map(({ name }) => name))
  // Those that take every name which is left come last.
  const readers = parameters
    .map((parameter) => ({
      name: parameter.name,
      last: isExploded(document, parameter),
      read: pairsReaderOf(document, parameter, names)
    }))
    .sort((a, b) => Number(a.last) - Number(b.last))
  return (pairs) =>
    readers.flatMap(({ name, read }): [string, unknown][] => {
      const value = read(pairs)
      return value === undefined ? [] : [[name, value]]
    })
}

function fieldOf (
  document: object,
  name: string,
  schema: Schema,
  { style, explode, contentType }: EncodingObject = {}
): ParameterObject {
  const given = {
    name,
    in: 'query' as const,
    schema,
    ...(style === undefined ? {} : { style }),
    ...(explode === undefined ? {} : { explode })
  }
  if (style !== undefined || explode !== undefined) return given
  const media = contentType === undefined ? undefined : mediaTypeOf(contentType)
  const asJson = { name, in: 'query' as const, content: { 'application/json': { schema } } }
  const types = typesOf(document, schema)
  if (media ? isJson(media) : types.includes('object') && !types.includes('array')) return asJson
  return given
}
