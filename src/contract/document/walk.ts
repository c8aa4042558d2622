import { pointerTo, type Located } from './pointer.js'
import type { Schema } from './schema.js'

/** Keywords whose values are data, in which nothing is a schema. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const'])
/** Keywords whose values have keys of the author's choice, so that a response or property may be called `default`. */
const NAME_MAPS = new Set([
  'properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'schemas', 'responses', 'parameters',
  'headers', 'requestBodies', 'callbacks', 'links', 'securitySchemes', 'pathItems', 'paths', 'webhooks', 'content',
  'encoding', 'mediaTypes', 'additionalOperations', 'dependentRequired', 'mapping', 'variables', 'scopes'
])

/**
 * Makes a copy of a part of the document in which every object that may be a schema went through `rewrite`; data
 * (examples, defaults, enumerations, extensions) is left as it is, but a property that is called `example` is not data.
 */
export function rewriteSchemas<Node> (node: Node, rewrite: (schema: Schema) => Schema, named = false): Node {
  if (Array.isArray(node)) return node.map((item) => rewriteSchemas(item, rewrite)) as Node
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([name, child]) => [
    name,
    isData(name, named) ? child : rewriteSchemas(child, rewrite, NAME_MAPS.has(name) && !named)
  ])
  const copy = Object.fromEntries(entries)
  return named ? copy : (rewrite(copy) as Node)
}

/**
 * Calls `visit` with every object of a document that may be a schema or a reference, and the pointer to it. It keeps
 * the order of the document.
 */
export function visitSchemas (
  node: unknown,
  visit: (located: Located<Schema>) => void,
  pointer = '#',
  named = false
): void {
  if (typeof node !== 'object' || node === null) return
  const list = Array.isArray(node)
  if (!named && !list) visit({ value: node as Schema, pointer })
  for (const [name, child] of Object.entries(node)) {
    if (typeof child !== 'object' || (!list && isData(name, named))) continue
    visitSchemas(child, visit, pointerTo(pointer, name), !list && NAME_MAPS.has(name) && !named)
  }
}

/**
 * Copies a document for a check that knows only what JSON.parse returns: without the names in data that could be taken
 * for keywords, such as a `$ref` of an example, and with numbers for bigints.
 */
export function withoutData<Node> (node: Node, named = false): Node {
  if (Array.isArray(node)) return node.map((item) => withoutData(item)) as Node
  if (typeof node === 'bigint') return Number(node) as Node
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).flatMap(([name, child]) => {
    if (named) return name.startsWith('$') ? [] : [[name, withoutData(child)]]
    if (name === 'enum') return [[name, child]]
    if (isData(name, named) && typeof child === 'object') return []
    return [[name, withoutData(child, NAME_MAPS.has(name))]]
  })
  return Object.fromEntries(entries) as Node
}

function isData (name: string, named: boolean): boolean {
  return !named && (DATA.has(name) || name.startsWith('x-'))
}
