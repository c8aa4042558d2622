import { binaryStrings } from './binary.js'
import { decideByDiscriminator } from './discriminator.js'
import { exactNumbers } from '../document/int64.js'
import { rewriteSchemas, schemaAt, type Schema } from '../document/schema.js'

/**
 * Which way a value goes: a property that is `readOnly` is not required in a request, nor a `writeOnly` one in a
 * response.
 */
export type Direction = 'request' | 'response'

/** A schema of the document as Ajv is to see it, so that it means to Ajv what it means in OpenAPI. */
export function prepare (document: object, schema: Schema, of: Direction): Schema {
  const decided = decideByDiscriminator(document, withoutForeign(schema))
  return exactNumbers(binaryStrings(withDefaults(document, withRequired(document, lengthFirst(decided), of))))
}

/**
 * Keywords of other drafts and of 3.0 mean nothing in 3.1, but something to Ajv; an enum without values, which no value
 * fits, means nothing to it.
 */
function withoutForeign<Node> (node: Node): Node {
  return rewriteSchemas(node, ({ nullable, id, $schema, $async, ...schema }) => {
    if (!Array.isArray(schema.enum) || schema.enum.length > 0) return schema
    const { enum: none, ...rest } = schema
    return { ...rest, allOf: [...((schema.allOf ?? []) as Schema[]), { not: {} }] }
  })
}

/** A pattern is tried only on a text of a length that fits: what may be slow on others was never meant to meet them. */
function lengthFirst<Node> (node: Node): Node {
  return rewriteSchemas(node, (schema) => {
    const { pattern, minLength = 0, maxLength, ...rest } = schema
    if (pattern === undefined || maxLength === undefined) return schema
    return {
      ...rest,
      minLength,
      maxLength,
      allOf: [...((schema.allOf ?? []) as Schema[]), { if: { minLength, maxLength }, then: { pattern } }]
    }
  })
}

/** What is only read is not required of a request, what is only written not of a response. */
function withRequired<Node> (document: object, node: Node, of: Direction): Node {
  const keyword = of === 'request' ? 'readOnly' : 'writeOnly'
  return rewriteSchemas(node, (schema) => {
    if (!schema.properties || !Array.isArray(schema.required)) return schema
    const required = schema.required.filter((name) => {
      const property = Object.hasOwn(schema.properties!, name) ? schema.properties![name] : undefined
      return (
        typeof property !== 'object' ||
        property === null ||
        (property[keyword] !== true && schemaAt(document, property)[keyword] !== true)
      )
    })
    return required.length === schema.required.length ? schema : { ...schema, required }
  })
}

/** The default of a property's `$ref` stands beside it too, where Ajv looks for it. */
function withDefaults<Node> (document: object, node: Node): Node {
  return rewriteSchemas(node, (schema) => {
    if (!schema.properties) return schema
    const properties = Object.entries(schema.properties).map(([name, property]) => {
      const { default: value = undefined } = typeof property === 'object' ? schemaAt(document, property) : {}
      return [name, value === undefined ? property : { default: value, ...property }]
    })
    return { ...schema, properties: Object.fromEntries(properties) }
  })
}
