import { listedValuesOf, type Schema } from '../document/schema.js'
import type { Schemas } from '../document/schemas.js'

/**
 * Gives the only values that a schema allows, by its `enum`, its `const`, the type `null`, and those of its
 * compositions; undefined when it allows others.
 */
export function enumerationOf (
  schemas: Schemas,
  schema: Schema,
  seen: ReadonlySet<Schema> = new Set()
): Set<unknown> | undefined {
  const target = schemas.dereference(schema)
  if (typeof target !== 'object' || target === null || seen.has(target)) return undefined
  const within = new Set([...seen, target])
  const enumerationsOf = (parts: unknown) =>
    ((parts ?? []) as Schema[]).map((part) => enumerationOf(schemas, part, within))
  // In 3.1, what stands beside a $ref counts too.
  const own = target === schema ? [target] : [target, schema]
  return intersectionOf(
    own.flatMap((part) => [
      setOf(part.type === 'null' ? [null] : listedValuesOf(part)),
      ...enumerationsOf(part.allOf),
      unionOf(enumerationsOf(part.anyOf)),
      unionOf(enumerationsOf(part.oneOf))
    ])
  )
}

function setOf (values: unknown[]): Set<unknown> | undefined {
  return values.length === 0 ? undefined : new Set(values)
}

/** What any of several alternatives allows; undefined as soon as one of them allows others than it lists. */
function unionOf (sets: (Set<unknown> | undefined)[]): Set<unknown> | undefined {
  return sets.includes(undefined) ? undefined : setOf(sets.flatMap((set) => [...set!]))
}

/** What all of several allow that list anything. */
function intersectionOf (sets: (Set<unknown> | undefined)[]): Set<unknown> | undefined {
  const [first, ...others] = sets.filter((set) => set !== undefined)
  return first && new Set([...first].filter((value) => others.every((other) => other.has(value))))
}
