import type { ParameterObject } from '../document/openapi.js'
import type { Schemas } from '../document/schemas.js'
import { allowsScalar, shapeOf, styleOf } from '../operation/parameter-style.js'
import { deepObjectReaderOf } from './deep-object.js'
import { decodeForm, type Pairs } from './pairs.js'
import { parameterReaderOf, type ParameterReader } from './parameter.js'
import { scalarReaderOf } from './scalar.js'

/**
 * Takes what belongs to a parameter out of the pairs of a query, a cookie or a form; undefined when it was not sent.
 */
export type PairsReader = (pairs: Pairs) => unknown

/**
 * Makes a reader of several parameters; what it leaves in the pairs was declared by none of them. `others` are names
 * that mean something else, so that no object without a list of its properties takes them for its own.
 */
export function pairsReadersOf (
  schemas: Schemas,
  parameters: ParameterObject[],
  others: string[] = []
): (pairs: Pairs) => [name: string, value: unknown][] {
  const names = new Set([...parameters.map(({ name }) => name), ...others])
  // Those that take every name which is left come last.
  const readers = parameters
    .map((parameter) => ({
      name: parameter.name,
      isLast: isExploded(schemas, parameter),
      read: pairsReaderOf(schemas, parameter, names)
    }))
    .sort((a, b) => Number(a.isLast) - Number(b.isLast))
  return (pairs) =>
    readers.flatMap(({ name, read }): [string, unknown][] => {
      const value = read(pairs)
      return value === undefined ? [] : [[name, value]]
    })
}

/**
 * Makes the reader of one parameter of a query, cookie or form, be it written under one name or under several.
 * `siblings` are the names of all parameters there.
 */
export function pairsReaderOf (schemas: Schemas, parameter: ParameterObject, siblings: Set<string>): PairsReader {
  if (styleOf(parameter).style === 'deepObject') return deepObjectReaderOf(schemas, parameter)
  if (isExploded(schemas, parameter)) return explodedReaderOf(schemas, parameter, siblings)
  const read = parameterReaderOf(schemas, parameter)
  return (pairs) => (pairs.has(parameter.name) ? read(takeFrom(pairs, parameter.name)) : undefined)
}

/** Whether a parameter is an object whose properties stand beside the other parameters, under their own names. */
function isExploded (schemas: Schemas, parameter: ParameterObject): boolean {
  const { content, schema = {} } = parameter
  const { style, explode } = styleOf(parameter)
  return !content && style === 'form' && explode && shapeOf(schemas.types(schema)) === 'object'
}

function explodedReaderOf (schemas: Schemas, parameter: ParameterObject, siblings: Set<string>): PairsReader {
  const { name, schema = {}, in: where } = parameter
  const { names, open } = schemas.properties(schema)
  const readerOf = (property: string): ParameterReader =>
    parameterReaderOf(schemas, { name: property, in: where, schema: schemas.property(schema, property) })
  const readers = new Map([...names].map((property) => [property, readerOf(property)]))
  const takesOthers = open && where !== 'cookie'
  // What may be an object or else a single text stands under its own name when it is one.
  const readScalar =
    allowsScalar(schemas.types(schema)) && !names.has(name) ? scalarReaderOf(schemas, schema) : undefined
  return (pairs) => {
    if (readScalar && pairs.has(name)) {
      const texts = takeFrom(pairs, name)
      return texts.length === 1 ? readScalar(decodeForm(texts[0]!)) : texts
    }
    const properties = [...pairs.keys()].filter(
      (property) => names.has(property) || (takesOthers && !siblings.has(property))
    )
    if (properties.length === 0) return undefined
    return Object.fromEntries(
      properties.map((property) => [
        property,
        (readers.get(property) ?? readerOf(property))(takeFrom(pairs, property))
      ])
    )
  }
}

function takeFrom (pairs: Pairs, name: string): string[] {
  const texts = pairs.get(name)!
  pairs.delete(name)
  return texts
}
