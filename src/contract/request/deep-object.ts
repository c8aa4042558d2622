import type { ParameterObject } from '../document/openapi.js'
import type { Schema } from '../document/schema.js'
import type { Schemas } from '../document/schemas.js'
import { decodeForm, type Pairs } from './pairs.js'
import { scalarReaderOf } from './scalar.js'

/** What `filter[size][min]=1` spells, by its keys; texts stand at the ends, still encoded. */
interface Tree {
  texts: string[]
  children: Map<string, Tree>
}

/** How deep keys may stand inside one another. */
const DEPTH_LIMIT = 20

/**
 * Makes the reader of a parameter in the style deepObject. OpenAPI defines properties of one level; what is common
 * beyond it is understood too: objects within objects, and arrays as `name[]=a&name[]=b` or `name[0]=a&name[1]=b`. What
 * is no object is `name=value`.
 */
export function deepObjectReaderOf (
  schemas: Schemas,
  { name, schema = {} }: ParameterObject
): (pairs: Pairs) => unknown {
  return (pairs) => {
    const tree = takeTree(name, pairs)
    return tree && valueOf(schema, tree)
  }

  function valueOf (schema: Schema, { texts, children }: Tree): unknown {
    if (children.size === 0) return valueOfTexts(schema, texts)
    // Both a value and keys of one: nothing that any schema allows.
    if (texts.length > 0) return [...texts, ...children.keys()]
    const entries = [...children]
    if (schemas.types(schema).includes('array') && entries.every(isItem)) return itemsOf(schema, entries)
    return Object.fromEntries(entries.map(([key, child]) => [key, valueOf(schemas.property(schema, key), child)]))
  }

  function valueOfTexts (schema: Schema, texts: string[]): unknown {
    const types = schemas.types(schema)
    const values = texts.map((text, index) => scalarOf(types.includes('array') ? itemAt(schema, index) : schema, text))
    return values.length > 1 || (types.includes('array') && types.length === 1) ? values : values[0]
  }

  function itemsOf (schema: Schema, entries: [key: string, Tree][]): unknown[] {
    const ordered = entries.toSorted(([a], [b]) => Number(a) - Number(b))
    return ordered.flatMap(([key, child]) =>
      key === ''
        ? child.texts.map((text, index) => scalarOf(itemAt(schema, index), text))
        : [valueOf(itemAt(schema, Number(key)), child)]
    )
  }

  function itemAt (schema: Schema, index: number): Schema {
    return schemas.prefixItems(schema)[index] ?? schemas.items(schema)
  }

  function scalarOf (schema: Schema, text: string): unknown {
    return scalarReaderOf(schemas, schema)(decodeForm(text))
  }
}

/** Takes the pairs `name[key]…` out of others; undefined when there are none. */
function takeTree (name: string, pairs: Pairs): Tree | undefined {
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

/** Whether a key is that of an item of an array: its number, or nothing. */
function isItem ([key, { children }]: [string, Tree]): boolean {
  return key === '' ? children.size === 0 : /^(0|[1-9]\d{0,8})$/.test(key)
}
