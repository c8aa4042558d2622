import { isJson, mediaTypeOf } from '../../document/media-type.js'
import type { EncodingObject, MediaTypeObject, ParameterObject } from '../../document/openapi.js'
import type { Schemas } from '../../document/schemas.js'
import { pairsOf } from '../pairs.js'
import { pairsReaderOf, pairsReadersOf } from '../pairs-reader.js'

/**
 * Makes the reader of an `application/x-www-form-urlencoded` body of a schema. A property is written as a query
 * parameter of its style is; without a style an array is the repeated property, an object is JSON (OpenAPI 3.1.1,
 * sections 4.8.14.4 and 4.8.15.1).
 */
export function formReaderOf (
  schemas: Schemas,
  { schema = {}, encoding = {} }: MediaTypeObject
): (text: string) => Record<string, unknown> {
  const { names } = schemas.properties(schema)
  const parameterOf = (name: string) => parameterFor(schemas, name, schemas.property(schema, name), encoding[name])
  const readDeclared = pairsReadersOf(schemas, [...names].map(parameterOf))
  return (text) => {
    const pairs = pairsOf(text)
    const values = readDeclared(pairs)
    for (const name of [...pairs.keys()]) {
      values.push([name, pairsReaderOf(schemas, parameterOf(name), names)(pairs)])
    }
    return Object.fromEntries(values)
  }
}

/** The query parameter as which a property of a form is written. */
function parameterFor (
  schemas: Schemas,
  name: string,
  schema: NonNullable<ParameterObject['schema']>,
  { style, explode, contentType }: EncodingObject = {}
): ParameterObject {
  const parameter: ParameterObject = { name, in: 'query' }
  if (style !== undefined) parameter.style = style
  if (explode !== undefined) parameter.explode = explode
  if (style !== undefined || explode !== undefined) return { ...parameter, schema }
  const media = contentType === undefined ? undefined : mediaTypeOf(contentType)
  const types = schemas.types(schema)
  const isWrittenAsJson = media ? isJson(media) : types.includes('object') && !types.includes('array')
  return { ...parameter, ...(isWrittenAsJson ? { content: { 'application/json': { schema } } } : { schema }) }
}
