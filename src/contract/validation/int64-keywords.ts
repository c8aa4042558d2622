import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv'
import type Ajv from 'ajv/dist/core.js'
import { INT64_MAX, INT64_MIN, isInteger, type Int64 } from '../document/int64.js'
import { jsonTypeOf, namesBigInt, type Schema } from '../document/schema.js'
import { rewriteSchemas } from '../document/walk.js'
import { isMultipleOf } from './decimal.js'

/**
 * Copies a schema for a validator that knows bigints ({@link addNumberKeywords}). An integer is exact where its schema
 * has `format: int64`, over that range, or names an integer that a number would round; any other number is a double.
 */
export function withNumberKeywords<Node> (node: Node): Node {
  return rewriteSchemas(node, (schema) => {
    const types = [schema.type].flat()
    if (!types.includes('integer') && !types.includes('number')) return schema
    const { type, format, ...rest } = schema
    if (format === 'int64' && types.includes('integer')) return { ...rest, exactType: types, int64: true } as Schema
    const isExact = types.includes('integer') && namesBigInt(rest)
    return {
      ...rest,
      ...(format === undefined ? {} : { format }),
      exactType: types,
      ...(isExact ? {} : { double: types.includes('number') ? 'number' : 'integer' })
    } as Schema
  })
}

/** Teaches a validator the keywords of {@link withNumberKeywords}, and the bounds of numbers to compare bigints too. */
export function addNumberKeywords (ajv: Ajv.default): void {
  for (const name of Object.keys(BOUNDS)) ajv.removeKeyword(name)
  // The order in which they are checked.
  for (const keyword of [exactType, int64, ...Object.entries(BOUNDS).map(boundKeyword), double]) ajv.addKeyword(keyword)
}

const BOUNDS: Record<string, (value: Int64, limit: Int64) => boolean> = {
  minimum: (value, limit) => value >= limit,
  maximum: (value, limit) => value <= limit,
  exclusiveMinimum: (value, limit) => value > limit,
  exclusiveMaximum: (value, limit) => value < limit,
  multipleOf: isMultipleOf
}

const exactType = keyword('exactType', 'type', (types: string[], value) => hasType(types, value) || { type: types })

function hasType (types: string[], value: unknown): boolean {
  if (isInteger(value)) return types.includes('integer') || types.includes('number')
  // Infinity, as which JSON.parse has what a double cannot hold, is of no type.
  if (typeof value === 'number' && !Number.isFinite(value)) return false
  return types.includes(jsonTypeOf(value))
}

const int64 = keyword('int64', 'range', (_, value) => {
  const isInRange = !isInteger(value) || (BigInt(value) >= INT64_MIN && BigInt(value) <= INT64_MAX)
  return isInRange || { minimum: INT64_MIN, maximum: INT64_MAX }
})

const double = keyword('double', 'range', (type: string, value, { parentData, parentDataProperty }) => {
  if (typeof value !== 'bigint') return true
  if (type === 'integer') return { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
  if (parentData) parentData[parentDataProperty] = Number(value)
  return true
})

function boundKeyword ([name, fits]: [string, (value: Int64, limit: Int64) => boolean]): FuncKeywordDefinition {
  return keyword(
    name,
    name,
    (limit: Int64, value) =>
      (typeof value !== 'number' && typeof value !== 'bigint') || fits(value, limit) || { limit }
  )
}

/** Where a value stands, for a keyword that replaces it. */
type Context = { parentData?: Record<string | number, unknown>; parentDataProperty: string | number }

/** A keyword whose `test` gives true, or else the params of an error of the name `error`. */
function keyword<Value> (
  name: string,
  error: string,
  test: (schema: Value, value: unknown, context: Context) => true | object
): FuncKeywordDefinition {
  const validate: SchemaValidateFunction = (schema: Value, value: unknown, _parent?: unknown, context?: unknown) => {
    const params = test(schema, value, context as Context)
    if (params !== true) validate.errors = [{ keyword: error, params }]
    return params === true
  }
  return { keyword: name, validate, errors: true, modifying: true }
}
