import { scalarOf } from './scalar.js'
import type { Pairs } from './pairs.js'
import { itemsOf, prefixItemsOf, propertyOf, typesOf, type Schema } from '../document/schema.js'

/** `filter[size][min]=1` by its keys; texts stand at the ends, still encoded. */
export type Tree = { texts: string[]; children: Map<string, Tree> }

/** How deep keys may stand inside one another. */
const DEPTH_LIMIT = 20

/** Takes the pairs `name[key]…` out of others; undefined when there are none. */
export function treeOf (name: string, pairs: Pairs): Tree | undefined {
  const root: Tree = { texts: [], children: new Map() }
  for (const [full, texts] of [...pairs]) {
    const keys = full === name ? [] : keysOf(name, full)
    if (!keys) continue
    pairs.delete(full)
    let node = root
    for (const key of keys) {
      const child: Tree = node.children.get(key) ?? { texts: [], children: new Map() }
      node.children.set(key, child)
      node = child
    }
    node.texts.push(...texts)
  }
  return root.texts.length > 0 || root.children.size > 0 ? root : undefined
}

/** The keys of `name[a][b]`; undefined when it is not of that form. */
function keysOf (name: string, full: string): string[] | undefined {
  if (!full.startsWith(`${name}[`) || !full.endsWith(']')) return undefined
  const keys = full.slice(name.length + 1, -1).split('][')
  return keys.length <= DEPTH_LIMIT && keys.every((key) => !/[[\]]/.test(key)) ? keys : undefined
}

/**
 * The value of a tree, in the types of its schema. OpenAPI defines properties of one level; what is common beyond it is
 * understood too: objects within objects, and arrays as `name[]=a&name[]=b` or `name[0]=a&name[1]=b`.
 */
export function valueOfTree (
  document: object,
  schema: Schema,
  { texts, children }: Tree,
  decode: (text: string) => string
): unknown {
  const types = typesOf(document, schema)
  const [rest, firsts] = [itemsOf(document, schema), prefixItemsOf(document, schema)]
  const itemAt = (index: number) => firsts[index] ?? rest
  if (children.size === 0) {
    const values = texts.map((text, index) =>
      scalarOf(document, types.includes('array') ? itemAt(index) : schema)(decode(text))
    )
    return values.length > 1 || (types.includes('array') && types.length === 1) ? values : values[0]
  }
  // Both a value and keys of one: nothing that any schema allows.
  if (texts.length > 0) return [...texts, ...children.keys()]
  const entries = [...children]
  const isList =
    types.includes('array') &&
    entries.every(([key, child]) => (key === '' ? child.children.size === 0 : /^(0|[1-9]\d{0,8})$/.test(key)))
  if (isList) {
    const ordered = entries.toSorted(([a], [b]) => Number(a) - Number(b))
    return ordered.flatMap(([key, child]) =>
      key === ''
        ? child.texts.map((text, index) => scalarOf(document, itemAt(index))(decode(text)))
        : [valueOfTree(document, itemAt(Number(key)), child, decode)]
    )
  }
  return Object.fromEntries(
    entries.map(([key, child]) => [key, valueOfTree(document, propertyOf(document, schema, key), child, decode)])
  )
}
