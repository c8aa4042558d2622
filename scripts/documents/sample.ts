import { isDeepStrictEqual } from 'node:util'
import { jsonTypeOf, listedValuesOf, type Schema } from '../../src/contract/document/schema.js'
import type { Schemas } from '../../src/contract/document/schemas.js'

/** How deep a sample is filled; a schema that holds itself would have no end. */
const DEPTH = 8

/**
 * Makes a small value of a schema: what it shows as an example, or else the least that it asks for. What is shown
 * counts only where the schema allows it; a text that is not allowed may be the JSON of a value that is. A pattern is
 * not looked at.
 * @param shown values that are shown elsewhere, before those of the schema; parts that they lack are completed
 */
export function sampleOf (schemas: Schemas, schema: Schema, shown: unknown[] = [], depth = 0): unknown {
  const parts = schemas.applicable(schema)
  const types = schemas.types(schema)
  const value = [...shown, ...shownBy(parts)]
    .flatMap((one) => (typeof one === 'string' ? [one, ...parsed(one)] : [one]))
    .find((one) => isAllowed(one, types, parts))
  const [type] = types
  if (isObject(value) || (type === 'object' && value === undefined)) {
    const required = parts.flatMap((part) => part.required ?? [])
    const names = depth > DEPTH ? [] : new Set([...required, ...Object.keys(value ?? {})])
    const sampleAt = (name: string) => {
      const given = value && Object.hasOwn(value, name) ? [value[name]] : []
      return sampleOf(schemas, schemas.property(schema, name), given, depth + 1)
    }
    return Object.fromEntries([...names].map((name) => [name, sampleAt(name)]))
  }
  if (Array.isArray(value) || (type === 'array' && value === undefined)) {
    const items = value ?? Array.from({ length: Math.min(Number(first(parts, 'minItems') ?? 0), 3) })
    return items.map((item) => sampleOf(schemas, schemas.items(schema), item === undefined ? [] : [item], depth + 1))
  }
  return value === undefined ? leastOf(type, parts) : value
}

/** The values that the parts of a schema show or fix. */
function shownBy (parts: Schema[]): unknown[] {
  const [example] = [first(parts, 'examples') ?? []].flat() as unknown[]
  const [option] = (first(parts, 'enum') ?? []) as unknown[]
  const values = [first(parts, 'example'), example, first(parts, 'const'), first(parts, 'default'), option]
  return values.filter((value) => value !== undefined)
}

/** The value that a text is the JSON of, in a list; none when it is not JSON. */
function parsed (text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}

/** Whether a value has one of the types of a schema, if any, and is among the values that each of its parts lists. */
function isAllowed (value: unknown, types: string[], parts: Schema[]): boolean {
  const type = Number.isInteger(value) && !types.includes('number') ? 'integer' : jsonTypeOf(value)
  const lists = parts.map(listedValuesOf).filter((list) => list.length > 0)
  const isListed = lists.length === 0 || lists.some((list) => list.some((one) => isDeepStrictEqual(one, value)))
  return (types.length === 0 || types.includes(type)) && isListed
}

function leastOf (type: string | undefined, parts: Schema[]): unknown {
  if (type === 'integer' || type === 'number') {
    // The nearest to 0: an end of int64 is no integer that a number could hold.
    const least = Math.max(0, Number(first(parts, 'minimum') ?? 0))
    return Math.min(least, Number(first(parts, 'maximum') ?? least))
  }
  if (type === 'boolean') return false
  return type === 'null' ? null : 'x'.repeat(Number(first(parts, 'minLength') ?? 0))
}

/** The value of a keyword in the first part that has it. */
function first (parts: Schema[], keyword: string): unknown {
  return parts.map((part) => part[keyword]).find((value) => value !== undefined)
}

function isObject (value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
