import { isInteger } from '../document/int64.js'
import { listedValuesOf, type Schema } from '../document/schema.js'
import type { Schemas } from '../document/schemas.js'

/** The types of JSON Schema whose values are listed; a number that is an integer is looked for as one. */
const TYPES = ['string', 'integer', 'number', 'boolean', 'null'] as const
type ScalarType = (typeof TYPES)[number]

/** For each type the only values of it that a schema allows; a type is left out of which it allows others. */
export type Enumerations = Partial<Record<ScalarType, Set<unknown>>>

/**
 * Gives the only values that a schema allows, by its `enum`, its `const` and those of its compositions; undefined when
 * it lists none.
 */
export function enumerationsOf (schemas: Schemas, schema: Schema): Enumerations | undefined {
  const found = TYPES.flatMap((type) => {
    const values = valuesOfType(schemas, schema, type, new Set())
    return values ? [[type, values] as const] : []
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** Gives the values that are listed of the type of a value; undefined when any is allowed, as of objects and arrays. */
export function listedFor (enumerations: Enumerations, value: unknown): Set<unknown> | undefined {
  if (value === null) return enumerations.null
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return enumerations[isInteger(value) ? 'integer' : 'number']
    case 'string':
    case 'boolean':
      return enumerations[typeof value as 'string' | 'boolean']
    default:
      return undefined
  }
}

/**
 * Gives the only values of a type that a schema allows, which are none where it has other types; undefined when it
 * allows any.
 */
function valuesOfType (
  schemas: Schemas,
  schema: Schema,
  type: ScalarType,
  seen: ReadonlySet<Schema>
): Set<unknown> | undefined {
  const target = schemas.dereference(schema)
  if (typeof target !== 'object' || target === null || seen.has(target)) return undefined
  const within = new Set([...seen, target])
  const valuesOf = (parts: unknown) =>
    ((parts ?? []) as Schema[]).map((part) => valuesOfType(schemas, part, type, within))
  // In 3.1, what stands beside a $ref counts too.
  const own = target === schema ? [target] : [target, schema]
  return intersectionOf(
    own.flatMap((part) => [
      ownValuesOf(part, type),
      ...valuesOf(part.allOf),
      unionOf(valuesOf(part.anyOf)),
      unionOf(valuesOf(part.oneOf))
    ])
  )
}

function ownValuesOf (schema: Schema, type: ScalarType): Set<unknown> | undefined {
  const types: unknown[] = [schema.type ?? type].flat()
  const hasType = types.includes(type) || (type === 'integer' && types.includes('number'))
  if (!hasType) return new Set()
  const values = listedValuesOf(schema)
  return values.length === 0 ? undefined : new Set(values)
}

/** What any of several alternatives allows; undefined as soon as one of them allows any value. */
function unionOf (sets: (Set<unknown> | undefined)[]): Set<unknown> | undefined {
  if (sets.length === 0 || sets.includes(undefined)) return undefined
  return new Set(sets.flatMap((set) => [...set!]))
}

/** What all of several allow that list anything. */
function intersectionOf (sets: (Set<unknown> | undefined)[]): Set<unknown> | undefined {
  const [first, ...others] = sets.filter((set) => set !== undefined)
  return first && new Set([...first].filter((value) => others.every((other) => other.has(value))))
}
