import fc from 'fast-check'
import { resolve } from '../../src/contract/document/reference.js'
import { INT64_MAX, INT64_MIN, type Int64 } from '../../src/contract/document/int64.js'
import type { Schema } from '../../src/contract/document/schema.js'
import type { Issued } from './issued.js'

/** A value of JSON. Integers are bigints, so that none is rounded on its way. */
export type Json = null | boolean | number | bigint | string | Json[] | { [name: string]: Json }

/** Follows the references of a schema and merges the parts of its `allOf` into one. */
export function flat (document: object, schema: Schema): Schema {
  const { allOf = [], ...own } = resolve(document, { value: schema, pointer: '#' }).value
  return (allOf as Schema[])
    .map((part) => flat(document, part))
    .reduce(
      (all, part) => ({
        ...all,
        ...part,
        properties: { ...all.properties, ...part.properties },
        required: [...(all.required ?? []), ...(part.required ?? [])]
      }),
      own
    )
}

/** Lists the types that a schema names. */
export function typesIn (schema: Schema): string[] {
  return [schema.type ?? (schema.properties ? 'object' : [])].flat()
}

/** Gives the least and the largest integer that a schema allows. */
export function boundsOf (schema: Schema): { min: bigint; max: bigint } {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema as Record<string, Int64 | undefined>
  const { min, max } = INTEGERS[String(schema.format)] ?? EXACT_INTEGERS
  const mins = [min]
  const maxes = [max]
  if (exclusiveMinimum !== undefined) mins.push(rounded(exclusiveMinimum, Math.floor) + 1n)
  if (minimum !== undefined) mins.push(rounded(minimum, Math.ceil))
  if (exclusiveMaximum !== undefined) maxes.push(rounded(exclusiveMaximum, Math.ceil) - 1n)
  if (maximum !== undefined) maxes.push(rounded(maximum, Math.floor))
  return {
    min: mins.reduce((one, other) => (other > one ? other : one)),
    max: maxes.reduce((one, other) => (other < one ? other : one))
  }
}

function rounded (bound: Int64, round: (bound: number) => number): bigint {
  return typeof bound === 'bigint' ? bound : BigInt(round(bound))
}

/** The integers of each format; without a format they are those that a JavaScript number holds exactly. */
const INTEGERS: Record<string, { min: bigint; max: bigint }> = {
  int32: { min: -(2n ** 31n), max: 2n ** 31n - 1n },
  int64: { min: INT64_MIN, max: INT64_MAX }
}
const EXACT_INTEGERS = { min: BigInt(Number.MIN_SAFE_INTEGER), max: BigInt(Number.MAX_SAFE_INTEGER) }

const FORMATS: Record<string, () => fc.Arbitrary<string>> = {
  date: () => instants().map((date) => date.toISOString().slice(0, 10)),
  'date-time': () =>
    fc
      .tuple(instants(), fc.constantFrom('Z', '+00:00', '-05:30', '+14:00'))
      .map(([date, zone]) => date.toISOString().replace('Z', zone)),
  uuid: () => fc.uuid(),
  uri: () => fc.webUrl(),
  email: () => fc.emailAddress()
}
const instants = () => fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })

/**
 * Generates values that a schema allows.
 * @throws {Error} for a schema or a format of which it knows no values
 */
export function validValuesOf (document: object, declared: Schema, issued: Issued, name = ''): fc.Arbitrary<Json> {
  const schema = flat(document, declared)
  const within = (part: Schema, of = name) => validValuesOf(document, part, issued, of)
  if (schema.enum) return fc.constantFrom(...(schema.enum as Json[]))
  if (schema.const !== undefined) return fc.constant(schema.const as Json)
  const alternatives = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (alternatives) return fc.oneof(...alternatives.map((part) => within(part)))
  const types = typesIn(schema)
  if (types.length === 0) throw new Error(`The fuzzer knows no values of ${JSON.stringify(schema)}.`)
  const ofType = (type: string): fc.Arbitrary<Json> => {
    if (type === 'null') return fc.constant(null)
    if (type === 'boolean') return fc.boolean()
    if (type === 'integer') return integers(schema, issued, name)
    if (type === 'number') return numbers(schema)
    if (type === 'string') return strings(schema)
    if (type === 'array') return fc.array(within(schema.items ?? {}), itemCounts(schema))
    const properties = Object.entries(schema.properties ?? {}).map(
      ([key, property]): [string, fc.Arbitrary<Json>] => [key, within(property, key)]
    )
    return fc.record(Object.fromEntries(properties), { requiredKeys: schema.required ?? [] })
  }
  return fc.oneof(...types.map(ofType))
}

/** At most five items, so that values stay small. */
function itemCounts ({ minItems = 0, maxItems = 5 }: Schema): { minLength: number; maxLength: number } {
  return { minLength: Number(minItems), maxLength: Math.min(Number(maxItems), 5) }
}

function numbers ({ minimum = -1000, maximum = 1000 }: Schema): fc.Arbitrary<number> {
  return fc
    .integer({ min: Math.ceil(Number(minimum)) * 4, max: Math.floor(Number(maximum)) * 4 })
    .map((quarters) => quarters / 4)
}

function integers (schema: Schema, issued: Issued, name: string): fc.Arbitrary<bigint> {
  const { min, max } = boundsOf(schema)
  const clamp = (value: bigint) => {
    if (value < min) return min
    return value > max ? max : value
  }
  const any = fc.oneof(
    fc.bigInt({ min, max }),
    fc.bigInt({ min: clamp(0n), max: clamp(100n) }),
    fc.constantFrom(min, max, clamp(1n), clamp(2n ** 53n), clamp(2n ** 53n + 1n))
  )
  return fc.tuple(any, fc.option(fc.nat())).map(([value, choice]) => {
    const known = choice === null ? undefined : issued.pick(name, choice)
    return known === undefined ? value : BigInt(known)
  })
}

function strings (schema: Schema): fc.Arbitrary<string> {
  if (typeof schema.format === 'string') {
    const format = FORMATS[schema.format]
    if (!format) throw new Error(`The fuzzer knows no values of the format ${schema.format}.`)
    return format()
  }
  const { minLength = 0, maxLength = 100 } = schema as { minLength?: number; maxLength?: number }
  const size = { minLength, maxLength: Math.min(maxLength, minLength + 100) }
  const any = fc.oneof(
    fc.string({ unit: 'binary', ...size }),
    fc.string({ unit: 'grapheme', ...size }),
    fc.string({ unit: 'grapheme-ascii', ...size })
  )
  const fits = (text: string) => {
    const { length } = [...text]
    return length >= minLength && length <= maxLength
  }
  if (typeof schema.pattern !== 'string') return any.filter(fits)
  const pattern = new RegExp(schema.pattern, 'u')
  return fc.oneof(fc.stringMatching(pattern), any).filter((text) => fits(text) && pattern.test(text))
}
