import { lookUp } from '../document/reference.js'
import { rewriteSchemas, type Schema } from '../document/schema.js'

/** A schema in which each `$ref` is the id of a part, and these parts, with those that they refer to. */
export interface Bundle {
  schema: Schema
  parts: Map<string, Schema>
}

/**
 * Takes schemas out of a document, each with just what it refers to, directly or through others. Every part is prepared
 * once, when it is first needed, so that a start costs what a document uses and not what it has.
 */
export function bundlerOf (document: object, prepare: (schema: Schema) => Schema): (schema: Schema) => Bundle {
  const ids = new Map<string, string>()
  const prepared = new Map<string, { schema: Schema; references: Set<string> }>()

  const detach = (schema: Schema) => {
    const references = new Set<string>()
    const detached = rewriteSchemas(prepare(schema), (part) => {
      if (typeof part.$ref !== 'string') return part
      if (!ids.has(part.$ref)) ids.set(part.$ref, `part:${ids.size}`)
      references.add(part.$ref)
      return { ...part, $ref: ids.get(part.$ref)! }
    })
    return { schema: detached, references }
  }
  const collect = (references: Set<string>, parts: Map<string, Schema>): void => {
    for (const reference of references) {
      const id = ids.get(reference)!
      if (parts.has(id)) continue
      if (!prepared.has(id)) prepared.set(id, detach(lookUp(document, reference, reference) as Schema))
      const part = prepared.get(id)!
      parts.set(id, part.schema)
      collect(part.references, parts)
    }
  }
  return (given) => {
    const parts = new Map<string, Schema>()
    const { schema, references } = detach(given)
    collect(references, parts)
    return { schema, parts }
  }
}
