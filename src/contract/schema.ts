import { resolve } from './reference.js'

/** A JSON Schema (2020-12) as OpenAPI 3.1 uses it. */
export interface Schema {
  [keyword: string]: unknown
  $ref?: string
  type?: string | string[]
  format?: string
  default?: unknown
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

/** The name under which the whole document is known to the validator and the serializer. */
export const DOCUMENT_ID = 'document'

const DATA = new Set(['example', 'examples', 'default', 'enum', 'const'])
/** What holds things by names of the author's choice, so that a response or property may be called `default`. */
const NAMED = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'schemas', 'responses', 'parameters', 'headers', 'requestBodies', 'callbacks'])

/**
 * A copy of a part of the document in which every object that may be a schema went through `rewrite`; data (examples, defaults,
 * enumerations, extensions) is left as it is, but a property that is called `example` is not data.
 */
export function rewriteSchemas<Node> (node: Node, rewrite: (schema: Schema) => Schema, named = false): Node {
  if (Array.isArray(node)) return node.map((item) => rewriteSchemas(item, rewrite)) as Node
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([name, child]) =>
    [name, !named && (DATA.has(name) || name.startsWith('x-')) ? child : rewriteSchemas(child, rewrite, NAMED.has(name) && !named)])
  const copy = Object.fromEntries(entries)
  return named ? copy : rewrite(copy) as Node
}

/** The schemas of OpenAPI 3.0 in the words of 3.1: `nullable`, boolean exclusive bounds, nothing beside a `$ref`. */
export function upgradeSchemas<Node> (node: Node): Node {
  return rewriteSchemas(node, ({ nullable, ...schema }) => {
    if (typeof schema.$ref === 'string') return { $ref: schema.$ref }
    if (nullable !== undefined && typeof nullable !== 'boolean') return { nullable, ...schema }
    if (nullable === true && typeof schema.type === 'string') {
      schema.type = [schema.type, 'null']
      if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...schema.enum, null]
    }
    for (const [exclusive, bound] of [['exclusiveMinimum', 'minimum'], ['exclusiveMaximum', 'maximum']] as const) {
      if (typeof schema[exclusive] !== 'boolean') continue
      if (schema[exclusive]) { schema[exclusive] = schema[bound]; delete schema[bound] } else delete schema[exclusive]
    }
    return schema
  })
}

/** The same schema for use outside the document: its references name the document. */
export function absolute (schema: Schema): Schema {
  return rewriteSchemas(schema, (part) => typeof part.$ref === 'string' && part.$ref.startsWith('#') ? { ...part, $ref: DOCUMENT_ID + part.$ref } : part)
}

/** What a schema of the document, or of a route made from it, says after its references. */
export function schemaAt (document: object, schema: Schema): Schema {
  const local = schema.$ref?.startsWith(DOCUMENT_ID) ? { $ref: schema.$ref.slice(DOCUMENT_ID.length) } : schema
  return resolve(document, { value: local, pointer: '#' }).value
}

/** Every type that a schema or one of its alternatives names. */
export function typesOf (document: object, schema: Schema): string[] {
  const { type = [], ...rest } = schemaAt(document, schema)
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => (rest[keyword] ?? []) as Schema[])
  return [type, ...parts.map((part) => typesOf(document, part))].flat()
}
