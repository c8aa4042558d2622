import fc from 'fast-check'
import { resolve } from '../../src/contract/document/reference.js'
import type { Schema } from '../../src/contract/document/schema.js'
import type { Given } from './given.js'

/** A value of JSON. Integers are bigints, so that none is rounded on its way. */
export type Json = null | boolean | number | bigint | string | Json[] | { [name: string]: Json }

/** What a schema says after its references, with the parts of its allOf written together. */
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

export function typesIn (schema: Schema): string[] {
  return [schema.type ?? (schema.properties ? 'object' : [])].flat()
}

/** The least and the largest integer that a schema allows. */
export function boundsOf (schema: Schema): { min: bigint; max: bigint } {
  const bits = schema.format === 'int64' ? 63n : schema.format === 'int32' ? 31n : 53n
  const [least, most] = bits === 53n ? [-(2n ** 53n) + 1n, 2n ** 53n - 1n] : [-(2n ** bits), 2n ** bits - 1n]
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema as Record<string, number | undefined>
  return {
    min:
      minimum !== undefined
        ? BigInt(Math.ceil(minimum))
        : exclusiveMinimum !== undefined
          ? BigInt(Math.floor(exclusiveMinimum)) + 1n
          : least,
    max:
      maximum !== undefined
        ? BigInt(Math.floor(maximum))
        : exclusiveMaximum !== undefined
          ? BigInt(Math.ceil(exclusiveMaximum)) - 1n
          : most
  }
}

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
 * Values that a schema allows, by construction.
 * @throws {Error} for what it does not know how to construct
 */
export function valuesOf (document: object, declared: Schema, given: Given, name = ''): fc.Arbitrary<Json> {
  const schema = flat(document, declared)
  const within = (part: Schema, of = name) => valuesOf(document, part, given, of)
  if (schema.enum) return fc.constantFrom(...(schema.enum as Json[]))
  if (schema.const !== undefined) return fc.constant(schema.const as Json)
  const alternatives = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (alternatives) return fc.oneof(...alternatives.map((part) => within(part)))
  const types = typesIn(schema)
  if (types.length === 0) throw new Error(`The fuzzer knows no values of ${JSON.stringify(schema)}.`)
  return fc.oneof(
    ...types.map((type): fc.Arbitrary<Json> => {
      switch (type) {
        case 'null':
          return fc.constant(null)
        case 'boolean':
          return fc.boolean()
        case 'integer':
          return integers(schema, given, name)
        case 'number':
          return fc
            .integer({
              min: Math.ceil(Number(schema.minimum ?? -1000)) * 4,
              max: Math.floor(Number(schema.maximum ?? 1000)) * 4
            })
            .map((quarters) => quarters / 4)
        case 'string':
          return strings(schema)
        case 'array':
          return fc.array(within(schema.items ?? {}), {
            minLength: Number(schema.minItems ?? 0),
            maxLength: Math.min(Number(schema.maxItems ?? 5), 5)
          })
        default:
          return fc.record(
            Object.fromEntries(
              Object.entries(schema.properties ?? {}).map(([key, property]) => [key, within(property, key)])
            ),
            { requiredKeys: schema.required ?? [] }
          )
      }
    })
  )
}

function integers (schema: Schema, given: Given, name: string): fc.Arbitrary<bigint> {
  const { min, max } = boundsOf(schema)
  const clamp = (value: bigint) => (value < min ? min : value > max ? max : value)
  const any = fc.oneof(
    fc.bigInt({ min, max }),
    fc.bigInt({ min: clamp(0n), max: clamp(100n) }),
    fc.constantFrom(min, max, clamp(1n), clamp(2n ** 53n), clamp(2n ** 53n + 1n))
  )
  return fc.tuple(any, fc.option(fc.nat())).map(([value, choice]) => {
    const known = choice === null ? undefined : given.pick(name, choice)
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
