import { SaxesParser } from 'saxes'
import { RequestError } from '../request-error.js'
import { scalarOf } from '../scalar.js'
import {
  itemsOf,
  partsOf,
  prefixItemsOf,
  propertiesOf,
  propertyOf,
  typesOf,
  type Schema
} from '../../document/schema.js'

interface XmlObject {
  name?: string
  attribute?: boolean
  wrapped?: boolean
}

interface Element {
  name: string
  attributes: Record<string, string>
  children: Element[]
  text: string
}

const DEPTH_LIMIT = 100

/**
 * Reads an XML body by its schema, as its XML Objects say (OpenAPI 3.1.1, section 4.8.26). Prefixes are not looked at,
 * as they name no more than the schema does; a document type is refused.
 * @throws {RequestError} 400
 */
export function xmlReaderOf (document: object, schema: Schema): (text: string) => unknown {
  const { name } = xmlOf(document, schema)
  return (text) => {
    const root = parse(text)
    if (name !== undefined && root.name !== name) throw new RequestError(400, `The body must be an element ${name}.`)
    return valueOf(document, schema, root)
  }
}

function valueOf (document: object, schema: Schema, element: Element): unknown {
  const types = typesOf(document, schema)
  if (types.includes('array')) {
    const [rest, firsts] = [itemsOf(document, schema), prefixItemsOf(document, schema)]
    return element.children.map((child, index) => valueOf(document, firsts[index] ?? rest, child))
  }
  const isText =
    element.children.length === 0 && Object.keys(element.attributes).length === 0 && !types.includes('object')
  if (isText) return scalarOf(document, schema)(element.text)
  if (element.text.trim() !== '') {
    throw new RequestError(
      400,
      `The body has text in the element ${element.name.slice(0, 100)}, where elements are expected.`
    )
  }
  return objectOf(document, schema, element)
}

function objectOf (document: object, schema: Schema, { attributes, children }: Element): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  const known = new Set<string>()
  const elementsOf = (name: string) => {
    known.add(name)
    return children.filter((child) => child.name === name)
  }
  for (const name of propertiesOf(document, schema).names) {
    const property = propertyOf(document, schema, name)
    const xml = xmlOf(document, property)
    const external = xml.name ?? name
    if (xml.attribute) {
      known.add(`@${external}`)
      if (Object.hasOwn(attributes, external)) define(value, name, scalarOf(document, property)(attributes[external]!))
      continue
    }
    const many = typesOf(document, property).includes('array') && !xml.wrapped
    const items = itemsOf(document, property)
    const found = elementsOf(many ? (xmlOf(document, items).name ?? name) : external)
    if (found.length === 0) continue
    const values = found.map((element) => valueOf(document, many ? items : property, element))
    define(value, name, many || values.length > 1 ? values : values[0])
  }
  // What no property names stays under its own name, for the validator to judge.
  for (const child of children) {
    if (!known.has(child.name)) {
      define(value, child.name, valueOf(document, propertyOf(document, schema, child.name), child))
    }
  }
  for (const [name, text] of Object.entries(attributes)) {
    if (!known.has(`@${name}`) && !/^xmlns\b/.test(name)) define(value, name, text)
  }
  return value
}

function define (object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

function xmlOf (document: object, schema: Schema): XmlObject {
  return Object.assign(
    {},
    ...partsOf(document, schema)
      .map(({ xml }) => xml)
      .filter(Boolean)
      .toReversed()
  ) as XmlObject
}

function parse (text: string): Element {
  const parser = new SaxesParser()
  const top: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [top]
  const refuse = (message = 'The body is not valid XML.') => {
    throw new RequestError(400, message)
  }
  parser.on('error', () => refuse())
  parser.on('doctype', () => refuse('The body has a document type, which is not understood.'))
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > DEPTH_LIMIT) refuse(`The body has more than ${DEPTH_LIMIT} levels.`)
    const element: Element = {
      name: localOf(name),
      attributes: attributes as Record<string, string>,
      children: [],
      text: ''
    }
    open.at(-1)!.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => {
    open.pop()
  })
  for (const event of ['text', 'cdata'] as const) {
    parser.on(event, (text) => {
      open.at(-1)!.text += text
    })
  }
  parser.write(text).close()
  return top.children[0]!
}

function localOf (name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
