import type Ajv from 'ajv/dist/core.js'
import type { Schema } from '../document/schema.js'
import type { Schemas } from '../document/schemas.js'
import { rewriteSchemas } from '../document/walk.js'

/** The defaults of the properties of an object; an extension, so that nothing in it is taken for a schema. */
export const DEFAULTS = 'x-defaults'

/** Returns the default of a schema: its own, or else that of the schema which its `$ref` leads to. */
export function defaultOf (schemas: Schemas, schema: Schema): unknown {
  return schema.default === undefined ? schemas.dereference(schema).default : schema.default
}

/**
 * Copies a schema for a validator that fills in defaults ({@link addDefaults}). Ajv's own defaults cannot be bigints or
 * stand behind a `$ref`.
 */
export function withDefaults<Node> (schemas: Schemas, node: Node): Node {
  return rewriteSchemas(node, (schema) => {
    const defaults = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
      const value = typeof property === 'object' ? defaultOf(schemas, property) : undefined
      return value === undefined ? [] : [[name, value]]
    })
    return defaults.length === 0 ? schema : { ...schema, [DEFAULTS]: Object.fromEntries(defaults) }
  })
}

/**
 * Teaches a validator to fill in what an object lacks, except within the alternatives of an `anyOf` or `oneOf`, a `not`
 * and an `if`, which may not apply to the object.
 */
export function addDefaults (ajv: Ajv.default): void {
  ajv.addKeyword({
    keyword: DEFAULTS,
    modifying: true,
    valid: true,
    compile: (defaults: object, _schema, { compositeRule }) => {
      const entries = compositeRule ? [] : Object.entries(defaults)
      return (value: unknown) => {
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return true
        const object = value as Record<string, unknown>
        for (const [name, own] of entries) {
          if (!Object.hasOwn(object, name) || object[name] === undefined) object[name] = structuredClone(own)
        }
        return true
      }
    }
  })
}
