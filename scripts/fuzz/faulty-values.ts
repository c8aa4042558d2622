import fc from 'fast-check'
import type { Schema } from '../../src/contract/document/schema.js'
import type { Issued } from './issued.js'
import { boundsOf, flat, typesIn, validValuesOf, type Json } from './values.js'

const OF_EVERY_TYPE: [type: string, value: Json][] = [
  ['null', null],
  ['boolean', true],
  ['integer', 5n],
  ['number', 1.5],
  ['string', 'x'],
  ['string', '5'],
  ['array', []],
  ['array', [1n]],
  ['object', {}],
  ['object', { x: 1n }]
]
const ODD_TEXTS = ['', ' ', 'a\0b', 'a\nb', '\u007f', '\u0085', '!', '\u00e9', 'A', '0', 'x'.repeat(2_000)]
const UNKNOWN_NAMES = ['x', '', ' ', 'constructor', '__proto__', 'toString', 'Id', 'a.b', '\u00e9']

/** Generates values that differ in one thing from what a schema allows. */
export function faultyValuesOf (document: object, declared: Schema, issued: Issued, name = ''): fc.Arbitrary<Json> {
  const schema = flat(document, declared)
  const alternatives = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  const types = alternatives ? alternatives.flatMap((part) => typesIn(flat(document, part))) : typesIn(schema)
  const others = OF_EVERY_TYPE.filter(
    ([type]) => !types.includes(type) && !(type === 'integer' && types.includes('number'))
  ).map(([, value]) => value)
  const choices: fc.Arbitrary<Json>[] = [fc.constantFrom(...others)]
  if (types.includes('integer') && !schema.enum) choices.push(fc.constantFrom(...outside(schema)))
  if (types.includes('string')) choices.push(...constantsFrom(faultyTextsOf(schema)))
  if (types.includes('array') && schema.items) {
    choices.push(faultyValuesOf(document, schema.items, issued, name).map((item) => [item]))
  }
  if (types.includes('object') && schema.properties) choices.push(...faultyObjectsOf(document, schema, issued))
  return fc.oneof(...choices)
}

function faultyObjectsOf (document: object, schema: Schema, issued: Issued): fc.Arbitrary<Json>[] {
  const valid = validValuesOf(document, schema, issued) as fc.Arbitrary<{ [name: string]: Json }>
  const choices: fc.Arbitrary<Json>[] = (schema.required ?? []).map((missing) =>
    valid.map(({ [missing]: _, ...rest }) => rest)
  )
  for (const [name, property] of Object.entries(schema.properties!)) {
    choices.push(
      fc
        .tuple(valid, faultyValuesOf(document, property, issued, name))
        .map(([object, value]) => ({ ...object, [name]: value }))
    )
  }
  if (schema.additionalProperties === false) {
    const unknown = fc
      .oneof(fc.constantFrom(...UNKNOWN_NAMES), fc.string({ unit: 'binary', maxLength: 200 }))
      .filter((name) => !Object.hasOwn(schema.properties!, name))
    choices.push(
      fc.tuple(valid, unknown).map(([object, name]) => Object.fromEntries([...Object.entries(object), [name, 1n]]))
    )
  }
  return choices
}

/** Lists integers beyond the bounds of a schema. */
export function outside (schema: Schema): bigint[] {
  const { min, max } = boundsOf(schema)
  return [min - 1n, max + 1n, min * 2n - 1000n, max * 2n + 1000n, 10n ** 30n, -(10n ** 30n)]
}

/** Lists texts that a schema of strings refuses. */
export function faultyTextsOf ({ minLength, maxLength, pattern, format, enum: values }: Schema): string[] {
  if (values) {
    const allowed = values as string[]
    const similar = allowed.flatMap((value) => [`${value}x`, ` ${value}`, String(value).toUpperCase()])
    return ['', 'x', ...similar].filter((text) => !allowed.includes(text))
  }
  const texts = ODD_TEXTS.filter((text) => typeof pattern === 'string' && !new RegExp(pattern, 'u').test(text))
  if (Number(minLength ?? 0) > 0) texts.push('')
  if (maxLength !== undefined) texts.push('x'.repeat(Number(maxLength) + 1))
  if (format !== undefined) texts.push('', 'x', '2030-02-30')
  return texts
}

function constantsFrom<Value> (values: Value[]): fc.Arbitrary<Value>[] {
  return values.length === 0 ? [] : [fc.constantFrom(...values)]
}
