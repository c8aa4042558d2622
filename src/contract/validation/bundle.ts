import type { Schema } from '../document/schema.js'
import type { Schemas } from '../document/schemas.js'
import { rewriteSchemas } from '../document/walk.js'

/** A schema in which each `$ref` is the id of another, and the schemas of these ids and of those within them. */
export interface Bundle {
  schema: Schema
  referenced: Map<string, Schema>
}

/** A schema in which each reference is an id, and these references as they stand in the document. */
interface Detached {
  schema: Schema
  references: Set<string>
}

/**
 * Makes a function that takes schemas out of a document, each with just what it refers to, directly or through others.
 * Each referenced schema goes through `transform` once, when it is first needed, so that a start costs what a document
 * uses and not what it has.
 */
export function bundlerOf (schemas: Schemas, transform: (schema: Schema) => Schema): (schema: Schema) => Bundle {
  const ids = new Map<string, string>()
  const known = new Map<string, Detached>()

  const detach = (schema: Schema): Detached => {
    const references = new Set<string>()
    const detached = rewriteSchemas(transform(schema), (part) => {
      if (typeof part.$ref !== 'string') return part
      if (!ids.has(part.$ref)) ids.set(part.$ref, `schema:${ids.size}`)
      references.add(part.$ref)
      return { ...part, $ref: ids.get(part.$ref)! }
    })
    return { schema: detached, references }
  }
  const collect = (references: Set<string>, referenced: Map<string, Schema>): void => {
    for (const reference of references) {
      const id = ids.get(reference)!
      if (referenced.has(id)) continue
      const target = known.get(reference) ?? detach(schemas.lookUp(reference))
      known.set(reference, target)
      referenced.set(id, target.schema)
      collect(target.references, referenced)
    }
  }
  return (given) => {
    const { schema, references } = detach(given)
    const referenced = new Map<string, Schema>()
    collect(references, referenced)
    return { schema, referenced }
  }
}
