/** A JSON Schema (2020-12) as OpenAPI 3.1 uses it. */
export interface Schema {
  [keyword: string]: unknown
  $ref?: string
  type?: string | string[]
  format?: string
  default?: unknown
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

/**
 * Gives the schemas within one that may apply to the same value as it does. JSON Schema calls their keywords in-place
 * applicators (2020-12, section 10.2).
 */
export function inPlaceSubschemasOf (schema: Schema): Schema[] {
  const { allOf, anyOf, oneOf, then, else: otherwise, dependentSchemas } = schema
  return [allOf, anyOf, oneOf, then, otherwise, Object.values(dependentSchemas ?? {})]
    .flat()
    .filter((subschema) => subschema !== undefined) as Schema[]
}

/**
 * Tells whether a value of a schema is bytes where its media type has any: `format: binary`, or in 3.1 a media type and
 * no encoding of it.
 */
export function isBinary ({ format, contentMediaType, contentEncoding }: Schema): boolean {
  return format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined)
}

/** Gives the values that a schema lists as the only ones, by `const` or `enum`; none when it lists none. */
export function listedValuesOf (schema: Schema): unknown[] {
  if ('const' in schema) return [schema.const]
  return Array.isArray(schema.enum) ? schema.enum : []
}

/** Gives the types that a schema names, or else those that its values and keywords imply. */
export function ownTypesOf (schema: Schema): string[] {
  return [schema.type ?? impliedTypesOf(schema)].flat()
}

const NUMBER_KEYWORDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']

/** Tells whether a schema of numbers, or one of its compositions, names an integer that a number would round. */
export function namesBigInt (schema: Schema): boolean {
  const values = [...NUMBER_KEYWORDS, 'enum', 'const', 'default'].flatMap((keyword) => schema[keyword])
  if (values.some((value) => typeof value === 'bigint')) return true
  const subschemas = [...inPlaceSubschemasOf(schema), schema.if, schema.not] as (Schema | undefined)[]
  return subschemas.some((one) => one !== undefined && namesBigInt(one))
}

function impliedTypesOf (schema: Schema): string[] {
  const values = listedValuesOf(schema)
  if (values.length > 0) return values.map(jsonTypeOf)
  if (schema.properties || schema.additionalProperties) return ['object']
  if (schema.items || schema.prefixItems) return ['array']
  return NUMBER_KEYWORDS.some((keyword) => keyword in schema) ? ['number'] : []
}

/** Names the type of a value as JSON Schema does; an integer is a `number`. */
export function jsonTypeOf (value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'bigint') return 'number'
  return Array.isArray(value) ? 'array' : typeof value
}
