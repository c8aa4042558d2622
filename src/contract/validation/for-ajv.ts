import { PATTERN_MESSAGE } from '../document/pattern.js'
import type { Schema } from '../document/schema.js'
import type { Schemas } from '../document/schemas.js'
import { rewriteSchemas } from '../document/walk.js'
import { withBinaryKeywords } from './binary.js'
import { DEFAULTS, withDefaults } from './defaults.js'
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
  return withoutBigInts(withNumberKeywords(withBinaryKeywords(withDefaults(schemas, required))))
}

/**
 * Keywords of other drafts and of 3.0 mean nothing in 3.1, but something to Ajv; an enum without values, which no value
 * fits, means nothing to it.
 */
function withoutOtherDrafts<Node> (node: Node): Node {
  return rewriteSchemas(node, ({ nullable, id, $schema, $async, [DEFAULTS]: own, ...schema }) => {
    if (!Array.isArray(schema.enum) || schema.enum.length > 0) return schema
    const { enum: none, ...rest } = schema
    return withConjunct(rest, { not: {} })
  })
}

/** Ajv takes no bigint for a size, of which none is so large, nor for a const; in an enum it does. */
function withoutBigInts<Node> (node: Node): Node {
  return rewriteSchemas(node, (schema) => {
    const entries = Object.entries(schema).map(([name, value]) => [
      name,
      SIZE.test(name) && typeof value === 'bigint' ? Number(value) : value
    ])
    const { const: value, ...rest } = Object.fromEntries(entries) as Schema
    if (typeof value === 'bigint') return withConjunct(rest, { enum: [value] })
    return value === undefined ? rest : { ...rest, const: value }
  })
}

const SIZE = /^(min|max)(Length|Items|Properties|Contains)$/

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

function isSchemaObject (schema: unknown): schema is Schema {
  return typeof schema === 'object' && schema !== null
}
