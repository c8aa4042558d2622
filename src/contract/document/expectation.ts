import type { ErrorObject } from 'ajv'
import { stringify } from 'lossless-json'
import { pointerTo, tokensOf } from './pointer.js'

/** The types of JSON Schema, as a message names them. */
export const TYPES: Record<string, string> = {
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null'
}

/**
 * Says in a sentence what of a document violates a standard, by an error of Ajv: `#/info is not valid OpenAPI: the
 * property 'title' is required.` The pointer leads to what was validated.
 */
export function violationOf (standard: string, pointer: string, error: ErrorObject): string {
  const { keyword, instancePath, params, message } = error
  const { missingProperty: missing, additionalProperty, unevaluatedProperty: unknown = additionalProperty } = params
  const clauses = [
    ...(missing === undefined ? [] : [`the property '${missing}' is required`]),
    ...(unknown === undefined ? [] : [`the property '${unknown}' is not known`]),
    `the value ${expectation(keyword, params, message)}`
  ]
  return `${pointerTo(pointer, ...tokensOf(instancePath))} is not valid ${standard}: ${clauses[0]}.`
}

/** Says what a keyword expects of a value that does not fit it: `must be at least 1`. */
export function expectation (keyword: string, params: Record<string, unknown>, message = 'is not valid'): string {
  switch (keyword) {
    case 'type':
      return `must be ${typesInWords([params.type].flat().map(String))}`
    case 'enum':
      return `must be one of: ${valuesInWords(params.allowedValues as unknown[])}`
    case 'const':
      return `must be ${valuesInWords([params.allowedValue])}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'exclusiveMinimum':
      return `must be more than ${params.limit}`
    case 'exclusiveMaximum':
      return `must be less than ${params.limit}`
    case 'range':
      return `must be from ${params.minimum} to ${params.maximum}`
    case 'multipleOf':
      return `must be a multiple of ${params.limit}`
    case 'minLength':
      return `must have at least ${count(params.limit, 'character')}`
    case 'maxLength':
      return `must have at most ${count(params.limit, 'character')}`
    case 'minItems':
      return `must have at least ${count(params.limit, 'item')}`
    case 'maxItems':
      return `must have at most ${count(params.limit, 'item')}`
    case 'minProperties':
      return `must have at least ${count(params.limit, 'property', 'properties')}`
    case 'maxProperties':
      return `must have at most ${count(params.limit, 'property', 'properties')}`
    case 'uniqueItems':
      return 'must not have the same item twice'
    case 'format':
      return `must be a valid ${params.format}`
    case 'oneOf':
      return 'must fit only one of its alternatives'
    case 'not':
    case 'false schema':
      return 'has a value that is not allowed'
    default:
      return message
  }
}

/** Names types as a message does: `an integer or null`. */
export function typesInWords (types: string[]): string {
  return types.map((type) => TYPES[type] ?? type).join(' or ')
}

function valuesInWords (values: unknown[]): string {
  const texts = values.slice(0, 20).map((value) => (typeof value === 'string' ? value : stringify(value)))
  return [...texts, ...(values.length > 20 ? ['…'] : [])].join(', ')
}

function count (limit: unknown, noun: string, several = `${noun}s`): string {
  return `${limit} ${limit === 1 ? noun : several}`
}
