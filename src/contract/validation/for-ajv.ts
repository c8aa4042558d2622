import { PATTERN_MESSAGE } from '../document/pattern.js'
import type { Schema } from '../document/schema.js'
import type { Schemas } from '../document/schemas.js'
import { rewriteSchemas } from '../document/walk.js'
import { withBinaryKeywords } from './binary.js'
import { decideByDiscriminator } from './discriminator.js'
import { withNumberKeywords } from './int64-keywords.js'

/**
 * Which way a value goes: a property that is `readOnly` is not required in a request, nor a `writeOnly` one in a
 * response.
 */
export type Direction = 'request' | 'response'

/** Translates a schema of the document for Ajv, so that it means to Ajv what it means in OpenAPI. */
export function schemaForAjv (schemas: Schemas, schema: Schema, direction: Direction): Schema {
  const decided = decideByDiscriminator(schemas, withoutOtherDrafts(schema))
  const required = withoutOtherDirection(schemas, withPatternAfterLength(decided), direction)
  return withNumberKeywords(withBinaryKeywords(withReferencedDefaults(schemas, required)))
}

/**
 * Keywords of other drafts and of 3.0 mean nothing in 3.1, but something to Ajv; an enum without values, which no value
 * fits, means nothing to it.
 */
function withoutOtherDrafts<Node> (node: Node): Node {
  return rewriteSchemas(node, ({ nullable, id, $schema, $async, ...schema }) => {
    if (!Array.isArray(schema.enum) || schema.enum.length > 0) return schema
    const { enum: none, ...rest } = schema
    return withConjunct(rest, { not: {} })
  })
}

/** A pattern is tried only on a text of a length that fits: what may be slow on others was never meant to meet them. */
function withPatternAfterLength<Node> (node: Node): Node {
  return rewriteSchemas(node, (schema) => {
    const { pattern, [PATTERN_MESSAGE]: message, minLength = 0, maxLength, ...rest } = schema
    if (pattern === undefined || maxLength === undefined) return schema
    const matching = message === undefined ? { pattern } : { pattern, [PATTERN_MESSAGE]: message }
    return withConjunct({ ...rest, minLength, maxLength }, { if: { minLength, maxLength }, then: matching })
  })
}

/** A schema that asks for what another asks for too. */
function withConjunct (schema: Schema, other: Schema): Schema {
  return { ...schema, allOf: [...((schema.allOf ?? []) as Schema[]), other] }
}

/** What is only read is not required of a request, what is only written not of a response. */
function withoutOtherDirection<Node> (schemas: Schemas, node: Node, direction: Direction): Node {
  const keyword = direction === 'request' ? 'readOnly' : 'writeOnly'
  const isOtherDirection = (property: unknown) =>
    isSchemaObject(property) && (property[keyword] === true || schemas.dereference(property)[keyword] === true)
  return rewriteSchemas(node, (schema) => {
    const { properties, required } = schema
    if (!properties || !Array.isArray(required)) return schema
    const remaining = required.filter((name) => !Object.hasOwn(properties, name) || !isOtherDirection(properties[name]))
    return remaining.length === required.length ? schema : { ...schema, required: remaining }
  })
}

/**
 * The default of a property's `$ref` stands beside it too, where Ajv looks for it. A property such as `constructor` has
 * none: Ajv takes what every object has of that name for its value.
 */
function withReferencedDefaults<Node> (schemas: Schemas, node: Node): Node {
  return rewriteSchemas(node, (schema) => {
    if (!schema.properties) return schema
    const properties = Object.entries(schema.properties).map(([name, property]) => {
      if (typeof property !== 'object') return [name, property]
      const { default: own, ...others } = property
      const { default: value = own } = schemas.dereference(property)
      if (value === undefined) return [name, property]
      return [name, name in Object.prototype ? others : { default: value, ...property }]
    })
    return { ...schema, properties: Object.fromEntries(properties) }
  })
}

function isSchemaObject (schema: unknown): schema is Schema {
  return typeof schema === 'object' && schema !== null
}
