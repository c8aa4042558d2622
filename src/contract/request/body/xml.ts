import { SaxesParser } from 'saxes'
import type { Schema } from '../../document/schema.js'
import type { Schemas } from '../../document/schemas.js'
import { refusalOf } from '../request-error.js'
import { scalarReaderOf } from '../scalar.js'

/** What a schema says of its XML (OpenAPI 3.1.1, section 4.8.26). */
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

/** How deep elements may stand inside one another. */
const DEPTH_LIMIT = 100

/**
 * Makes the reader of an XML body of a schema, as its XML Objects say (OpenAPI 3.1.1, section 4.8.26). Prefixes are not
 * looked at, as they name no more than the schema does; a document type is refused.
 */
export function xmlReaderOf (schemas: Schemas, schema: Schema): (text: string) => unknown {
  const { name } = xmlOf(schema)
  return (text) => {
    const root = parse(text)
    if (name !== undefined && root.name !== name) throw refusalOf('body', [], `must be an element ${name}`)
    return valueOf(schema, root)
  }

  function valueOf (schema: Schema, element: Element): unknown {
    const { name, attributes, children, text } = element
    const types = schemas.types(schema)
    if (types.includes('array')) return itemsOf(schema, children)
    const isText = children.length === 0 && Object.keys(attributes).length === 0 && !types.includes('object')
    if (isText) return scalarReaderOf(schemas, schema)(text)
    if (text.trim() !== '') {
      throw refusalOf('body', [], `has text in the element ${name.slice(0, 100)}, where elements are expected`)
    }
    return objectOf(schema, element)
  }

  function itemsOf (schema: Schema, elements: Element[]): unknown[] {
    const [first, other] = [schemas.prefixItems(schema), schemas.items(schema)]
    return elements.map((element, index) => valueOf(first[index] ?? other, element))
  }

  function objectOf (schema: Schema, { attributes, children }: Element): Record<string, unknown> {
    const value: Record<string, unknown> = {}
    const known = { attributes: new Set<string>(), elements: new Set<string>() }
    for (const name of schemas.properties(schema).names) {
      const property = schemas.property(schema, name)
      const xml = xmlOf(property)
      const xmlName = xml.name ?? name
      if (xml.attribute) {
        known.attributes.add(xmlName)
        const text = Object.hasOwn(attributes, xmlName) ? attributes[xmlName] : undefined
        if (text !== undefined) define(value, name, scalarReaderOf(schemas, property)(text))
      } else {
        const { elementName, values } = childrenOf(property, xml, name, children)
        known.elements.add(elementName)
        if (values !== undefined) define(value, name, values)
      }
    }
    // What no property names stays under its own name, for the validator to judge.
    for (const child of children) {
      if (!known.elements.has(child.name)) {
        define(value, child.name, valueOf(schemas.property(schema, child.name), child))
      }
    }
    for (const [name, text] of Object.entries(attributes)) {
      if (!known.attributes.has(name) && !/^xmlns\b/.test(name)) define(value, name, text)
    }
    return value
  }

  /** The name of the elements that stand for a property, and its value; undefined when there is none of them. */
  function childrenOf (property: Schema, xml: XmlObject, name: string, children: Element[]) {
    // An array that is not wrapped has its items in the place of its own element.
    const isItems = schemas.types(property).includes('array') && !xml.wrapped
    const ofElement = isItems ? schemas.items(property) : property
    const elementName = (isItems ? xmlOf(ofElement) : xml).name ?? name
    const found = children.filter((child) => child.name === elementName).map((element) => valueOf(ofElement, element))
    const values = isItems || found.length > 1 ? found : found[0]
    return { elementName, values: found.length > 0 ? values : undefined }
  }

  /** What a schema and those that it is composed of say of its XML; what stands nearest counts. */
  function xmlOf (schema: Schema): XmlObject {
    const objects = schemas.applicable(schema).map(({ xml }) => xml).filter(Boolean)
    return Object.assign({}, ...objects.toReversed()) as XmlObject
  }
}

/** Sets a property of any name, be it `__proto__`. */
function define (object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

function parse (text: string): Element {
  const parser = new SaxesParser()
  const top: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [top]
  const refuse = (fault = 'is not valid XML') => {
    throw refusalOf('body', [], fault)
  }
  parser.on('error', () => refuse())
  parser.on('doctype', () => refuse('has a document type, which is not understood'))
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > DEPTH_LIMIT) refuse(`has more than ${DEPTH_LIMIT} levels`)
    const element: Element = {
      name: localNameOf(name),
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

function localNameOf (name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
