import { treeOf, valueOfTree } from './deep-object.js'
import type { ParameterObject } from '../document/document.js'
import { parseJson } from './json.js'
import { isJson, mediaTypeOf } from '../document/media-type.js'
import { decodeForm, decodePercent, type Pairs } from './pairs.js'
import { RequestError } from './request-error.js'
import { scalarOf } from './scalar.js'
import { itemsOf, prefixItemsOf, propertiesOf, propertyOf, typesOf, type Schema } from '../document/schema.js'
import { split, styleOf, type Shape } from './style.js'

const NOUNS: Record<ParameterObject['in'], string> = {
  query: 'Query parameter',
  path: 'Path parameter',
  header: 'Header',
  cookie: 'Cookie'
}

/** Turns the raw texts of one parameter into its value; undefined when it was not sent. */
export type ValueReader = (texts: string[]) => unknown

/**
 * Takes what belongs to a parameter out of the pairs of a query, a cookie or a form; undefined when it was not sent.
 */
export type PairsReader = (pairs: Pairs) => unknown

/**
 * Reads one parameter from its raw text: of a path, a header, or a query, cookie or form that has it under one name.
 * Nothing is checked here but the style; a value that its schema does not allow stays as it is, for the validator to
 * refuse.
 */
export function valueReaderOf (document: object, parameter: ParameterObject): ValueReader {
  const { in: where, name } = parameter
  const decode = where === 'header' ? (text: string) => text.trim() : where === 'query' ? decodeForm : decodePercent
  const refuse = (what: string) => new RequestError(400, `${NOUNS[where]} '${name}' ${what}.`)
  if (parameter.content) {
    const content = contentReaderOf(document, parameter, refuse)
    return (texts) => (texts.length > 1 ? repeated(texts) : content(decode(texts[0]!)))
  }

  const schema = parameter.schema ?? {}
  const style = styleOf(parameter)
  const types = typesOf(document, schema)
  const scalar = scalarOf(document, schema)
  const [rest, ...firsts] = [itemsOf(document, schema), ...prefixItemsOf(document, schema)].map((item) =>
    innerOf(document, item)
  )
  const item = (text: string, index: number) => (firsts[index] ?? rest!)(decode(text))
  const shape = shapeOf(types)
  const many = style.explode && (where === 'query' || where === 'cookie')

  const whole = (text: string): unknown => {
    if (where === 'header' && shape === 'array' && isNested(typesOf(document, itemsOf(document, schema)))) {
      return jsonIn(`[${text}]`, text)
    }
    try {
      const parts = split(name, style, shape, text)
      if ('list' in parts) return parts.list.map(item)
      if ('map' in parts) {
        return Object.fromEntries(
          parts.map.map(([key, value]) => [
            decode(key),
            innerOf(document, propertyOf(document, schema, decode(key)))(decode(value))
          ])
        )
      }
      return scalar(decode(parts.whole))
    } catch (error) {
      if (error instanceof SyntaxError) throw refuse(`must ${error.message}`)
      throw error
    }
  }
  return (texts) => {
    const read = texts.map((text, index) =>
      shape === 'array' && many ? item(text, index) : shape === 'object' && many ? decode(text) : whole(text)
    )
    if (shape === 'array' && many) return read.length === 1 && hasScalar(types) ? scalar(decode(texts[0]!)) : read
    if (read.length > 1 && shape === 'array') throw refuse('may be given only once')
    return repeated(read)
  }
  function repeated (values: unknown[]): unknown {
    return values.length === 1 ? values[0] : values
  }
}

/** Reads one parameter of a query, cookie or form, be it written under one name or under several. */
export function pairsReaderOf (document: object, parameter: ParameterObject, others: Set<string>): PairsReader {
  const { name, schema = {} } = parameter
  if (styleOf(parameter).style === 'deepObject') {
    return (pairs) => {
      const tree = treeOf(name, pairs)
      return tree && valueOfTree(document, schema, tree, decodeForm)
    }
  }
  if (isExploded(document, parameter)) return explodedReaderOf(document, parameter, others)
  const read = valueReaderOf(document, parameter)
  return (pairs) => {
    const texts = pairs.get(name)
    pairs.delete(name)
    return texts && read(texts)
  }
}

/** Whether a parameter is an object whose properties stand beside the other parameters, under their own names. */
export function isExploded (document: object, parameter: ParameterObject): boolean {
  const { style, explode } = styleOf(parameter)
  return (
    !parameter.content && style === 'form' && explode && shapeOf(typesOf(document, parameter.schema ?? {})) === 'object'
  )
}

function explodedReaderOf (document: object, parameter: ParameterObject, others: Set<string>): PairsReader {
  const { name, schema = {}, in: where } = parameter
  const { names, open } = propertiesOf(document, schema)
  const readerOf = (property: string) =>
    valueReaderOf(document, { name: property, in: where, schema: propertyOf(document, schema, property) })
  const readers = new Map([...names].map((property) => [property, readerOf(property)]))
  // What may be an object or else a single text stands under its own name when it is one.
  const whole = hasScalar(typesOf(document, schema)) && !names.has(name) ? scalarOf(document, schema) : undefined
  return (pairs) => {
    const take = (property: string, read: ValueReader) => {
      const texts = pairs.get(property)!
      pairs.delete(property)
      return read(texts)
    }
    if (whole && pairs.has(name)) {
      return take(name, (texts) => (texts.length === 1 ? whole(decodeForm(texts[0]!)) : texts))
    }
    const mine = [...pairs.keys()].filter(
      (property) => names.has(property) || (open && where !== 'cookie' && !others.has(property))
    )
    return mine.length === 0
      ? undefined
      : Object.fromEntries(
        mine.map((property) => [property, take(property, readers.get(property) ?? readerOf(property))])
      )
  }
}

/** Reads a value within another. No style has a form for an object or array there, so that it is JSON. */
function innerOf (document: object, schema: Schema): (text: string) => unknown {
  return isNested(typesOf(document, schema)) ? (text) => jsonIn(text, text) : scalarOf(document, schema)
}

function isNested (types: string[]): boolean {
  return shapeOf(types) !== 'scalar' && !hasScalar(types)
}

function jsonIn (text: string, otherwise: string): unknown {
  try {
    return parseJson(Buffer.from(text))
  } catch {
    return otherwise
  }
}

function contentReaderOf (
  document: object,
  { content = {} }: ParameterObject,
  refuse: (what: string) => RequestError
): (text: string) => unknown {
  const [[type, { schema = {} }] = ['', {}]] = Object.entries(content)
  const media = mediaTypeOf(type)
  if (!media || !isJson(media)) return scalarOf(document, schema)
  return (text) => {
    try {
      return parseJson(Buffer.from(text))
    } catch {
      throw refuse('is not valid JSON')
    }
  }
}

/** How a value of these types is written: an array when it may be one, then an object, then a single text. */
export function shapeOf (types: string[]): Shape {
  if (types.includes('array')) return 'array'
  return types.includes('object') ? 'object' : 'scalar'
}

export function hasScalar (types: string[]): boolean {
  return types.some((type) => ['string', 'number', 'integer', 'boolean'].includes(type))
}
