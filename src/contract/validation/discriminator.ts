import { listedValuesOf, type Schema } from '../document/schema.js'
import type { Schemas } from '../document/schemas.js'
import { rewriteSchemas } from '../document/walk.js'

interface Discriminator {
  propertyName: string
  mapping?: Record<string, string>
}

/** A branch of a oneOf or anyOf that refers to a schema, by whose name a discriminator may choose it. */
interface NamedBranch extends Schema {
  $ref: string
}

/**
 * Makes a copy of a schema in which a oneOf or anyOf that has a discriminator is decided by it (OpenAPI 3.1.1, section
 * 4.8.25): the value of the property chooses one branch, and the value is judged by that branch only. A discriminator
 * without branches, or with some that have no name, stays the hint that it is.
 */
export function decideByDiscriminator<Node> (schemas: Schemas, node: Node): Node {
  return rewriteSchemas(node, (schema) => {
    const { discriminator, ...rest } = schema as Schema & { discriminator?: Discriminator }
    const keyword = rest.oneOf ? 'oneOf' : 'anyOf'
    const branches = rest[keyword] as Schema[] | undefined
    if (typeof discriminator?.propertyName !== 'string' || !Array.isArray(branches)) return schema
    const isNull = ({ type }: Schema) => type === 'null'
    const named = branches.filter((branch) => !isNull(branch))
    if (named.length === 0 || !named.every(isNamed)) return schema

    const choice = choiceBy(discriminator.propertyName, refsByValue(schemas, named as NamedBranch[], discriminator))
    delete rest[keyword]
    const decided = branches.some(isNull) ? { anyOf: [{ type: 'null' }, choice] } : choice
    return Object.keys(rest).length === 0 ? decided : { ...rest, allOf: [...((rest.allOf ?? []) as Schema[]), decided] }
  })
}

function isNamed ({ $ref }: Schema): boolean {
  return typeof $ref === 'string'
}

/** A schema in which each value of a property chooses what the object must be. */
function choiceBy (property: string, refs: Map<unknown, string>): Schema {
  return {
    type: 'object',
    required: [property],
    properties: { [property]: { enum: [...refs.keys()] } },
    allOf: [...refs].map(([value, $ref]) => ({
      if: { properties: { [property]: { const: value } } },
      then: { $ref }
    }))
  }
}

/**
 * The branch that each value of the property chooses: by the mapping, by the name of each schema, and by what a branch
 * itself allows.
 */
function refsByValue (
  schemas: Schemas,
  branches: NamedBranch[],
  { propertyName, mapping = {} }: Discriminator
): Map<unknown, string> {
  const refs = new Map<unknown, string>()
  for (const [value, target] of Object.entries(mapping)) {
    const branch = branches.find(({ $ref }) => $ref === target || schemaName($ref) === target)
    if (branch) refs.set(value, branch.$ref)
  }
  const allowed = branches.map((branch) => ({ $ref: branch.$ref, values: valuesOf(schemas, branch, propertyName) }))
  for (const { $ref, values } of allowed) {
    const own = values.filter((value) => allowed.every((other) => other.$ref === $ref || !other.values.includes(value)))
    const isMapped = Object.values(mapping).some((target) => target === $ref || schemaName($ref) === target)
    for (const value of isMapped ? own : [...own, schemaName($ref)]) if (!refs.has(value)) refs.set(value, $ref)
  }
  return refs
}

/** The name of a schema that a reference leads to. */
function schemaName ($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1)
}

/** The values that a branch allows for the property, where it lists them. */
function valuesOf (schemas: Schemas, branch: NamedBranch, property: string): unknown[] {
  const declared = schemas
    .applicable(branch)
    .flatMap(({ properties }) => (properties && Object.hasOwn(properties, property) ? [properties[property]!] : []))
  return declared.flatMap((schema) => schemas.applicable(schema)).flatMap(listedValuesOf)
}
