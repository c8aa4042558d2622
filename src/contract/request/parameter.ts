import { isJson, mediaTypeOf } from '../document/media-type.js'
import type { ParameterObject } from '../document/openapi.js'
import { decodePercent } from '../document/pointer.js'
import type { Schema } from '../document/schema.js'
import type { Schemas } from '../document/schemas.js'
import { allowsScalar, shapeOf, styleOf, type Shape } from '../operation/parameter-style.js'
import { parseJson } from './json.js'
import { decodeForm } from './pairs.js'
import { refusalOf, type RequestError } from './request-error.js'
import { scalarReaderOf } from './scalar.js'
import { split } from './style.js'

/** Turns the raw texts that a request has under the name of a parameter into its value. */
export type ParameterReader = (texts: string[]) => unknown

/**
 * Makes the reader of a parameter of a path or a header, or of one that a query, cookie or form has under one name.
 * Nothing is checked here but the style; a value that its schema does not allow stays as it is, for the validator to
 * refuse.
 */
export function parameterReaderOf (schemas: Schemas, parameter: ParameterObject): ParameterReader {
  if (parameter.content) return contentReaderOf(schemas, parameter)
  const { in: where, schema = {} } = parameter
  const { explode } = styleOf(parameter)
  const types = schemas.types(schema)
  const shape = shapeOf(types)
  const decode = decoderOf(where)
  if (explode && (where === 'query' || where === 'cookie')) {
    if (shape === 'array') {
      const [readScalar, readItem] = [scalarReaderOf(schemas, schema), itemReaderOf(schemas, schema, decode)]
      return (texts) =>
        texts.length === 1 && allowsScalar(types) ? readScalar(decode(texts[0]!)) : texts.map(readItem)
    }
    // The properties of an exploded object stand under their own names, so that this is none.
    if (shape === 'object') return givenOnce(decode)
  }
  const read = styledReaderOf(schemas, parameter, shape)
  return (texts) => {
    if (texts.length > 1 && shape === 'array') throw faultOf(parameter, 'may be given only once')
    return givenOnce(read)(texts)
  }
}

/** The value of what may be given only once; what is given more often stays a list, for the validator to refuse. */
function givenOnce (read: (text: string) => unknown): ParameterReader {
  return (texts) => (texts.length === 1 ? read(texts[0]!) : texts.map(read))
}

/** Reads a parameter that has its whole value in one text, as its style writes it. */
function styledReaderOf (schemas: Schemas, parameter: ParameterObject, shape: Shape): (text: string) => unknown {
  const { in: where, name, schema = {} } = parameter
  const style = styleOf(parameter)
  const decode = decoderOf(where)
  const readScalar = scalarReaderOf(schemas, schema)
  const readItem = itemReaderOf(schemas, schema, decode)
  const readProperty = ([key, value]: [string, string]): [string, unknown] => {
    const property = decode(key)
    return [property, nestedReaderOf(schemas, schemas.property(schema, property))(decode(value))]
  }
  // The commas of a header part its items, and stand within them when these are JSON.
  const hasJsonItems =
    where === 'header' && shape === 'array' && isNested(schemas.types(schemas.items(schema)))
  return (text) => {
    if (hasJsonItems) return parseJsonOr(`[${text}]`, text)
    const value = splitOrRefuse(text)
    if ('array' in value) return value.array.map(readItem)
    if ('object' in value) return Object.fromEntries(value.object.map(readProperty))
    return readScalar(decode(value.scalar))
  }
  function splitOrRefuse (text: string) {
    try {
      return split(name, style, shape, text)
    } catch (error) {
      throw faultOf(parameter, `must ${(error as SyntaxError).message}`)
    }
  }
}

function itemReaderOf (
  schemas: Schemas,
  schema: Schema,
  decode: (text: string) => string
): (text: string, index: number) => unknown {
  const readFirst = schemas.prefixItems(schema).map((item) => nestedReaderOf(schemas, item))
  const readOther = nestedReaderOf(schemas, schemas.items(schema))
  return (text, index) => (readFirst[index] ?? readOther)(decode(text))
}

/** Reads a value within another. No style has a form for an object or array there, so that it is JSON. */
function nestedReaderOf (schemas: Schemas, schema: Schema): (text: string) => unknown {
  return isNested(schemas.types(schema)) ? (text) => parseJsonOr(text, text) : scalarReaderOf(schemas, schema)
}

function isNested (types: string[]): boolean {
  return shapeOf(types) !== 'scalar' && !allowsScalar(types)
}

function parseJsonOr (text: string, fallback: string): unknown {
  try {
    return parseJson(Buffer.from(text))
  } catch {
    return fallback
  }
}

/** Reads a parameter that has `content` in the place of a schema and a style. */
function contentReaderOf (schemas: Schemas, parameter: ParameterObject): ParameterReader {
  const [[type, { schema = {} }] = ['', {}]] = Object.entries(parameter.content ?? {})
  const decode = decoderOf(parameter.in)
  const media = mediaTypeOf(type)
  const readScalar = scalarReaderOf(schemas, schema)
  const read = media && isJson(media) ? readJson : readScalar
  return (texts) => (texts.length === 1 ? read(decode(texts[0]!)) : texts)
  function readJson (text: string): unknown {
    try {
      return parseJson(Buffer.from(text))
    } catch {
      throw faultOf(parameter, 'is not valid JSON')
    }
  }
}

function decoderOf (where: ParameterObject['in']): (text: string) => string {
  if (where === 'header') return (text) => text.trim()
  return where === 'query' ? decodeForm : decodePercent
}

function faultOf ({ in: where, name }: ParameterObject, fault: string): RequestError {
  return refusalOf(where, [name], fault)
}
