import { isDeepStrictEqual } from 'node:util'
import { generateSync, type JsonSchema } from 'json-schema-faker'
import { isInteger, type Int64 } from '../../src/contract/document/int64.js'
import { jsonTypeOf, listedValuesOf, type Schema } from '../../src/contract/document/schema.js'
import type { Schemas } from '../../src/contract/document/schemas.js'
import type { Direction } from '../../src/contract/validation/for-ajv.js'
import { checksOf, type Check } from '../../src/contract/validation/validator.js'

/** How deep a sample is filled; a schema that holds itself would have no end. */
const DEPTH = 8

/** How many values are generated in search of a valid one. */
const ATTEMPTS = 20

/** Makes a valid value of a schema; undefined when it finds none. */
export type Sampler = (
  schema: Schema,
  options?: {
    /** Values that are shown elsewhere, before those of the schema; parts that they lack are completed. */
    shown?: unknown[]
    /** Returns a value as it is sent, which must be valid then; throws for one that cannot be sent. */
    written?: (value: unknown) => unknown
  }
) => { value: unknown } | undefined

/**
 * Returns a maker of small values that their schemas allow, the same ones every time: what a schema shows as an
 * example, completed by the least that it asks for; where that is not valid, what json-schema-faker generates. A text
 * that is not allowed as an example may be the JSON of a value that is.
 */
export function samplerOf (schemas: Schemas, direction: Direction): Sampler {
  const checkOf = checksOf(schemas, direction)
  const checks = new Map<Schema, Check>()
  const generated = new Map<Schema, unknown[]>()

  const fits = (schema: Schema, value: unknown): boolean => {
    if (!checks.has(schema)) checks.set(schema, checkOf(schema))
    // A copy, because the check fills in defaults.
    return checks.get(schema)!(structuredClone(value)) as boolean
  }

  const generate = (schema: Schema): unknown[] => {
    if (!generated.has(schema)) {
      const values = Array.from({ length: ATTEMPTS }, (_, index) => generatedBy(schemas, schema, index + 1)).flat()
      generated.set(schema, values.filter((value) => fits(schema, value)))
    }
    return generated.get(schema)!
  }

  /** What is shown, or the least; its scalars are valid where a valid one is found. */
  const compose = (schema: Schema, shown: unknown[], depth: number): unknown => {
    const parts = schemas.applicable(schema)
    const types = schemas.types(schema)
    const value = [...shown, ...shownBy(parts)]
      .flatMap((one) => (typeof one === 'string' ? [one, ...parsed(one)] : [one]))
      .find((one) => isAllowed(one, types, parts) && (typeof one === 'object' || fits(schema, one)))
    const [type] = types
    if (isObject(value) || (type === 'object' && value === undefined)) {
      const required = parts.flatMap((part) => part.required ?? [])
      const names = depth > DEPTH ? [] : new Set([...required, ...Object.keys(value ?? {})])
      const composeAt = (name: string) => {
        const given = value && Object.hasOwn(value, name) ? [value[name]] : []
        return compose(schemas.property(schema, name), given, depth + 1)
      }
      return Object.fromEntries([...names].map((name) => [name, composeAt(name)]))
    }
    if (Array.isArray(value) || (type === 'array' && value === undefined)) {
      const most = Math.min(Number(first(parts, 'minItems') ?? 0), 3)
      const items = (value ?? Array.from({ length: most })) as unknown[]
      return items.map((item) => compose(schemas.items(schema), item === undefined ? [] : [item], depth + 1))
    }
    if (value !== undefined) return value
    const least = leastOf(type, parts)
    return fits(schema, least) ? least : (generate(schema)[0] ?? least)
  }

  return (schema, { shown = [], written = (value: unknown) => value } = {}) => {
    for (const candidates of [() => [compose(schema, shown, 0)], () => generate(schema)]) {
      for (const candidate of candidates()) {
        try {
          const value = written(candidate)
          if (fits(schema, value)) return { value }
        } catch {}
      }
    }
    return undefined
  }
}

/** What json-schema-faker generates of a schema from a seed, in a list; none when it cannot. */
function generatedBy (schemas: Schemas, schema: Schema, seed: number): unknown[] {
  // Its numbers are doubles.
  const plain = (node: unknown): JsonSchema =>
    JSON.parse(JSON.stringify(node, (_, value) => (typeof value === 'bigint' ? Number(value) : value)))
  try {
    const refResolver = (reference: string) => plain(schemas.lookUp(reference))
    return [generateSync(plain(schema), { seed, optionalsProbability: 0, maxDepth: DEPTH, refResolver })]
  } catch {
    return []
  }
}

/** The values that the parts of a schema show or fix. */
function shownBy (parts: Schema[]): unknown[] {
  const [example] = [first(parts, 'examples') ?? []].flat() as unknown[]
  const options = (first(parts, 'enum') ?? []) as unknown[]
  const values = [first(parts, 'example'), example, first(parts, 'const'), first(parts, 'default'), ...options]
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
  const type = isInteger(value) && !types.includes('number') ? 'integer' : jsonTypeOf(value)
  const lists = parts.map(listedValuesOf).filter((list) => list.length > 0)
  const isListed = lists.length === 0 || lists.some((list) => list.some((one) => isDeepStrictEqual(one, value)))
  return (types.length === 0 || types.includes(type)) && isListed
}

function leastOf (type: string | undefined, parts: Schema[]): unknown {
  if (type === 'integer' || type === 'number') {
    // The nearest to 0.
    const [minimum = 0, maximum = Infinity] = [boundIn(parts, 'minimum', 1n), boundIn(parts, 'maximum', -1n)]
    const least = minimum > 0 ? minimum : 0
    return maximum < least ? maximum : least
  }
  if (type === 'boolean') return false
  return type === 'null' || type === undefined ? null : 'x'.repeat(Number(first(parts, 'minLength') ?? 0))
}

/** The minimum or maximum of a schema; beside an exclusive one only where that is a bigint. */
function boundIn (parts: Schema[], keyword: 'minimum' | 'maximum', step: bigint): Int64 | undefined {
  const exclusive = first(parts, keyword === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum')
  return typeof exclusive === 'bigint' ? exclusive + step : (first(parts, keyword) as Int64 | undefined)
}

/** The value of a keyword in the first part that has it. */
function first (parts: Schema[], keyword: string): unknown {
  return parts.map((part) => part[keyword]).find((value) => value !== undefined)
}

function isObject (value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
