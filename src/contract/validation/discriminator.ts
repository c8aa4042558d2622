import { partsOf, rewriteSchemas, type Schema } from '../document/schema.js'

interface Discriminator {
  propertyName: string
  mapping?: Record<string, string>
}

/**
 * A copy of a schema in which a oneOf or anyOf that has a discriminator is decided by it (OpenAPI 3.1.1, section
 * 4.8.25): the value of the property chooses one branch, and the value is judged by that branch only. A discriminator
 * without branches, or with some that have no name, stays the hint that it is.
 */
export function decideByDiscriminator<Node> (document: object, node: Node): Node {
  return rewriteSchemas(node, (schema) => {
    const { discriminator, ...rest } = schema as Schema & { discriminator?: Discriminator }
    const keyword = rest.oneOf ? 'oneOf' : 'anyOf'
    const branches = rest[keyword] as Schema[] | undefined
    if (typeof discriminator?.propertyName !== 'string' || !Array.isArray(branches)) return schema
    const isNull = ({ type }: Schema) => type === 'null'
    const named = branches.filter((branch) => !isNull(branch))
    if (named.length === 0 || named.some(({ $ref }) => typeof $ref !== 'string')) return schema

    const choices = choicesOf(document, named as { $ref: string }[], discriminator)
    const property = discriminator.propertyName
    const chosen: Schema = {
      type: 'object',
      required: [property],
      properties: { [property]: { enum: [...choices.keys()] } },
      allOf: [...choices].map(([value, $ref]) => ({
        if: { properties: { [property]: { const: value } } },
        then: { $ref }
      }))
    }
    delete rest[keyword]
    const decided = branches.some(isNull) ? { anyOf: [{ type: 'null' }, chosen] } : chosen
    return Object.keys(rest).length === 0 ? decided : { ...rest, allOf: [...((rest.allOf ?? []) as Schema[]), decided] }
  })
}

/**
 * Values of the property to the branch that each chooses: those of the mapping, the name of each schema, and what a
 * branch itself allows.
 */
function choicesOf (
  document: object,
  branches: { $ref: string }[],
  { propertyName, mapping = {} }: Discriminator
): Map<unknown, string> {
  const nameOf = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1)
  const choices = new Map<unknown, string>()
  for (const [value, target] of Object.entries(mapping)) {
    const branch = branches.find(({ $ref }) => $ref === target || nameOf($ref) === target)
    if (branch) choices.set(value, branch.$ref)
  }
  const allowed = branches.map((branch) => ({ $ref: branch.$ref, values: valuesOf(document, branch, propertyName) }))
  for (const { $ref, values } of allowed) {
    const own = values.filter((value) => allowed.every((other) => other.$ref === $ref || !other.values.includes(value)))
    const mapped = Object.values(mapping).some((target) => target === $ref || nameOf($ref) === target)
    for (const value of [...own, ...(mapped ? [] : [nameOf($ref)])]) if (!choices.has(value)) choices.set(value, $ref)
  }
  return choices
}

/** The values that a branch allows for the property, where it lists them. */
function valuesOf (document: object, branch: Schema, property: string): unknown[] {
  const declared = partsOf(document, branch).flatMap(({ properties }) =>
    properties && Object.hasOwn(properties, property) ? [properties[property]!] : []
  )
  return declared
    .flatMap((schema) => partsOf(document, schema))
    .flatMap((schema) => ('const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : []))
}
