import type { Schema } from '../schema.js'
import { rewriteSchemas } from '../walk.js'

/**
 * Makes a copy of a document of OpenAPI 3.0 with its schemas in the words of 3.1. What differs are `nullable`, boolean
 * exclusive bounds, and that nothing counts beside a `$ref`.
 */
export function upgradeSchemas<Node> (node: Node): Node {
  return rewriteSchemas(node, ({ nullable, ...schema }) => {
    if (typeof schema.$ref === 'string') return { $ref: schema.$ref }
    if (nullable !== undefined && typeof nullable !== 'boolean') return { nullable, ...schema }
    for (const [exclusive, bound] of [
      ['exclusiveMinimum', 'minimum'],
      ['exclusiveMaximum', 'maximum']
    ] as const) {
      if (typeof schema[exclusive] !== 'boolean') continue
      if (schema[exclusive]) {
        schema[exclusive] = schema[bound]
        delete schema[bound]
      } else delete schema[exclusive]
    }
    return nullable ? withNull(schema) : schema
  })
}

/** Beside a composition, which would refuse the null again, `nullable` means what its authors mean: that, or null. */
function withNull (schema: Schema): Schema {
  if (schema.allOf || schema.anyOf || schema.oneOf) {
    const { default: value, ...rest } = schema
    return { anyOf: [{ type: 'null' }, rest], ...(value === undefined ? {} : { default: value }) }
  }
  const values = Array.isArray(schema.enum) && !schema.enum.includes(null) ? { enum: [...schema.enum, null] } : {}
  return { ...schema, ...(typeof schema.type === 'string' ? { type: [schema.type, 'null'] } : {}), ...values }
}
