import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv'
import type Ajv from 'ajv/dist/core.js'
import { rewriteSchemas, type Schema } from './schema.js'

/** A value of `format: int64`: a number where that is exact, else a bigint. */
export type Int64 = number | bigint

const MIN = -(2n ** 63n)
const MAX = 2n ** 63n - 1n

/** The integer that a text of decimal digits spells, exact at any length. */
export function toInteger (digits: string): Int64 {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}

/**
 * A copy of a schema for a validator that knows bigints ({@link addNumberKeywords}): `type: integer, format: int64` is
 * exact over its whole range, any other number is a double.
 */
export function exactNumbers<Node> (node: Node): Node {
  return rewriteSchemas(node, (schema) => {
    const types = [schema.type].flat()
    if (!types.includes('integer') && !types.includes('number')) return schema
    const { type, format, ...rest } = schema
    if (format === 'int64' && types.includes('integer')) return { ...rest, exactType: types, int64: true } as Schema
    return {
      ...rest,
      ...(format === undefined ? {} : { format }),
      exactType: types,
      double: !types.includes('number') ? 'integer' : 'number'
    } as Schema
  })
}

/** Teaches a validator the keywords of {@link exactNumbers}, and the bounds of numbers to compare bigints too. */
export function addNumberKeywords (ajv: Ajv.default): void {
  for (const name of Object.keys(BOUNDS)) ajv.removeKeyword(name)
  // The order in which they are checked.
  for (const keyword of [exactType, int64, ...Object.entries(BOUNDS).map(boundKeyword), double]) ajv.addKeyword(keyword)
}

const BOUNDS: Record<string, (value: Int64, limit: number) => boolean> = {
  minimum: (value, limit) => value >= limit,
  maximum: (value, limit) => value <= limit,
  exclusiveMinimum: (value, limit) => value > limit,
  exclusiveMaximum: (value, limit) => value < limit,
  multipleOf: (value, limit) =>
    typeof value === 'bigint' && Number.isInteger(limit)
      ? value % BigInt(limit) === 0n
      : Number.isInteger(Number(value) / limit)
}

const exactType = keyword(
  'exactType',
  'type',
  (types: string[], value) =>
    (isInteger(value) ? types.includes('integer') || types.includes('number') : types.includes(typeOf(value))) || {
      type: types
    }
)

const int64 = keyword(
  'int64',
  'range',
  (_, value) => !isInteger(value) || (BigInt(value) >= MIN && BigInt(value) <= MAX) || { minimum: MIN, maximum: MAX }
)

const double = keyword('double', 'range', (type: string, value, { parentData, parentDataProperty }) => {
  if (typeof value !== 'bigint') return true
  if (type === 'integer') return { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
  if (parentData) parentData[parentDataProperty] = Number(value)
  return true
})

function boundKeyword ([name, fits]: [string, (value: Int64, limit: number) => boolean]): FuncKeywordDefinition {
  return keyword(
    name,
    name,
    (limit: number, value) =>
      (typeof value !== 'number' && typeof value !== 'bigint') || fits(value, limit) || { limit }
  )
}

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

function isInteger (value: unknown): value is Int64 {
  return typeof value === 'bigint' || Number.isInteger(value)
}

function typeOf (value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'number' && !Number.isFinite(value)) return 'infinite'
  return Array.isArray(value) ? 'array' : typeof value
}
