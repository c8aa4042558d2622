import type { Schema } from '../../src/contract/document/schema.js'
import type { Schemas } from '../../src/contract/document/schemas.js'

/** How deep a sample is filled; a schema that holds itself would have no end. */
const DEPTH = 8

/**
 * Makes a small value of a schema: what it shows as an example, or else the least that it asks for. A pattern is not
 * looked at.
 * @param given a value, or a part of one, that is kept and completed
 */
export function sampleOf (schemas: Schemas, schema: Schema, given?: unknown, depth = 0): unknown {
  const parts = schemas.applicable(schema)
  const value = given === undefined ? shownBy(parts) : given
  const [type] = schemas.types(schema)
  if (type === 'object' && (value === undefined || isObject(value))) {
    const required = parts.flatMap((part) => part.required ?? [])
    const names = depth > DEPTH ? [] : new Set([...required, ...Object.keys(value ?? {})])
    const sampleAt = (name: string) => sampleOf(schemas, schemas.property(schema, name), value?.[name], depth + 1)
    return Object.fromEntries([...names].map((name) => [name, sampleAt(name)]))
  }
  if (type === 'array' && (value === undefined || Array.isArray(value))) {
    const items = value ?? Array.from({ length: Math.min(Number(first(parts, 'minItems') ?? 0), 3) })
    return items.map((item) => sampleOf(schemas, schemas.items(schema), item, depth + 1))
  }
  return value === undefined ? leastOf(type, parts) : value
}

/** The value that the parts of a schema show or fix; undefined when there is none. */
function shownBy (parts: Schema[]): unknown {
  const [example] = [first(parts, 'examples') ?? []].flat() as unknown[]
  const [option] = (first(parts, 'enum') ?? []) as unknown[]
  const values = [first(parts, 'example'), example, first(parts, 'const'), first(parts, 'default'), option]
  return values.find((value) => value !== undefined)
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
