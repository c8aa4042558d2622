import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv'
import { rewriteSchemas, type Schema } from './schema.js'

/** A value of `format: int64`: a number where that is exact, else a bigint. */
export type Int64 = number | bigint

const MIN = -(2n ** 63n)
const MAX = 2n ** 63n - 1n
const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const

/** What `format: int64` becomes for the validator, whose own `type: integer` knows no bigint. */
type Int64Keyword = { types: string[] } & { [bound in typeof BOUNDS[number]]?: number }

/** The integer that a text of decimal digits spells, exact at any length. */
export function toInteger (digits: string): Int64 {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}

/** A copy of a schema in which `type: integer, format: int64` is the keyword `int64`, which is exact over the whole range. */
export function replaceInt64<Node> (node: Node): Node {
  return rewriteSchemas(node, (schema) => {
    const types = [schema.type].flat()
    if (schema.format !== 'int64' || !types.includes('integer')) return schema
    const { type, format, ...rest } = schema
    const keyword: Record<string, unknown> = { types: types.filter((name) => name !== 'integer') }
    for (const bound of BOUNDS) {
      if (rest[bound] === undefined) continue
      keyword[bound] = rest[bound]
      delete rest[bound]
    }
    return { ...rest, int64: keyword } as Schema
  })
}

const validate: SchemaValidateFunction = (keyword: Int64Keyword, data: unknown) => {
  const fail = (name: string, params: object): boolean => {
    validate.errors = [{ keyword: name, params, message: 'is not a valid int64' }]
    return false
  }
  if (data === null ? keyword.types.includes('null') : keyword.types.includes(typeof data)) return true
  if (typeof data !== 'bigint' && !Number.isInteger(data)) return fail('type', { type: ['integer', ...keyword.types] })
  const value = BigInt(data as Int64)
  if (value < MIN || value > MAX) return fail('range', { minimum: MIN, maximum: MAX })
  if (keyword.minimum !== undefined && value < keyword.minimum) return fail('minimum', { limit: keyword.minimum })
  if (keyword.maximum !== undefined && value > keyword.maximum) return fail('maximum', { limit: keyword.maximum })
  if (keyword.exclusiveMinimum !== undefined && value <= keyword.exclusiveMinimum) return fail('exclusiveMinimum', { limit: keyword.exclusiveMinimum })
  if (keyword.exclusiveMaximum !== undefined && value >= keyword.exclusiveMaximum) return fail('exclusiveMaximum', { limit: keyword.exclusiveMaximum })
  if (keyword.multipleOf !== undefined && value % BigInt(keyword.multipleOf) !== 0n) return fail('multipleOf', { multipleOf: keyword.multipleOf })
  return true
}

/** The Ajv keyword behind {@link replaceInt64}. */
export const int64Keyword: FuncKeywordDefinition = { keyword: 'int64', schemaType: 'object', validate, errors: true }
