import { stringify } from 'lossless-json'
import type { Int64 } from '../../src/contract/document/int64.js'
import { lookUp } from '../../src/contract/document/reference.js'
import type { Schema } from '../../src/contract/document/schema.js'
import { isMultipleOf } from '../../src/contract/validation/decimal.js'
import { keywordValues, type Alternative, type Parts } from './alternatives.js'
import { INTEGERS, missedRange } from './range.js'

/** Limits of a count: of which type, and of which things. */
const COUNTS: Record<string, [type: string, things: string]> = {
  Length: ['string', 'characters'],
  Items: ['array', 'items'],
  Properties: ['object', 'properties']
}

/** Keywords whose change is understood, here or in what compares the rest, and those that ask nothing of a value. */
const UNDERSTOOD = new Set([
  'type', 'enum', 'const', 'required', 'properties', 'additionalProperties', 'items', 'default', 'minimum',
  'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'pattern', 'format', 'uniqueItems',
  ...Object.keys(COUNTS).flatMap((noun) => [`min${noun}`, `max${noun}`]),
  'title', 'description', 'example', 'examples', 'deprecated', 'readOnly', 'writeOnly', 'externalDocs', 'xml',
  '$comment', '$defs'
])

/**
 * Says how a value that fits the given alternative may miss the limits of the wanted parts, each way as a phrase: `be
 * more than 50`. Types, enumerations, properties and items are not looked at. A keyword that is not understood must be
 * in both with the same value.
 */
export function missedLimits (
  documents: { given: object; wanted: object },
  given: Alternative,
  wanted: Parts
): string[] {
  const { parts, type = 'any' } = given
  const is = (...types: string[]) => type === 'any' || types.includes(type)
  return [
    ...(is('number', 'integer') ? [...missedRange(parts, wanted, type), ...missedSteps(parts, wanted, type)] : []),
    ...Object.entries(COUNTS).flatMap(([noun, [of, things]]) =>
      is(of) ? missedCounts(parts, wanted, noun, things) : []
    ),
    ...(is('string')
      ? newValues(parts, wanted, 'pattern').map((pattern) => `be something that does not match ${pattern}`)
      : []),
    ...(is('string', 'number')
      ? newValues(parts, wanted, 'format')
        .filter((format) => !INTEGERS[format])
        .map((format) => `be something other than a valid ${format}`)
      : []),
    ...(is('array') && newValues(parts, wanted, 'uniqueItems').includes('true') ? ['hold an item twice'] : []),
    ...missedOthers(documents, parts, wanted)
  ]
}

function missedCounts (given: Parts, wanted: Parts, noun: string, things: string): string[] {
  const least = (parts: Parts) => Math.max(0, ...keywordValues<Int64>(parts, `min${noun}`).map(Number))
  const most = (parts: Parts) => Math.min(...keywordValues<Int64>(parts, `max${noun}`).map(Number))
  return [
    ...(least(wanted) > least(given)
      ? [least(wanted) === 1 ? 'be empty' : `have fewer than ${least(wanted)} ${things}`]
      : []),
    ...(most(wanted) < most(given) ? [`have more than ${most(wanted)} ${things}`] : [])
  ]
}

function missedSteps (given: Parts, wanted: Parts, type: string): string[] {
  const steps = [...keywordValues<Int64>(given, 'multipleOf'), ...(type === 'integer' ? [1] : [])]
  return keywordValues<Int64>(wanted, 'multipleOf')
    .filter((step) => !steps.some((mine) => isMultipleOf(mine, step)))
    .map((step) => `be something other than a multiple of ${step}`)
}

/** Values of a keyword that the wanted parts have and the given ones have not, as text. */
function newValues (given: Parts, wanted: Parts, keyword: string): string[] {
  return keywordValues(wanted, keyword)
    .filter((value) => !keywordValues(given, keyword).includes(value))
    .map(String)
}

function missedOthers (documents: { given: object; wanted: object }, given: Parts, wanted: Parts): string[] {
  return wanted
    .flatMap((part) => Object.entries(part))
    .filter(
      ([keyword, value]) =>
        !UNDERSTOOD.has(keyword) &&
        !keyword.startsWith('x-') &&
        !(keyword === 'unevaluatedProperties' && typeof value === 'boolean')
    )
    .filter(
      ([keyword, value]) =>
        !keywordValues(given, keyword).some((mine) => spell(documents.given, mine) === spell(documents.wanted, value))
    )
    .map(([keyword]) => `be something that its '${keyword}' rules out`)
}

/** Writes a part of a document as text that can be compared: what its references name stands in their place, once. */
export function spell (document: object, value: unknown, within: string[] = []): string {
  return stringify(value, (_, read) => {
    const node = read as Schema | null
    if (typeof node?.$ref !== 'string' || within.includes(node.$ref)) return node
    return { ...node, $ref: spell(document, lookUp(document, node.$ref, '#'), [...within, node.$ref]) }
  })!
}
