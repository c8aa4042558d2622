import type { ErrorObject } from 'ajv'

/** Where a value stood, in the words of a message. */
const NOUNS = { body: 'Body property', querystring: 'Query parameter', params: 'Path parameter', headers: 'Header', cookies: 'Cookie' } as const

export type HttpPart = keyof typeof NOUNS

/** The types of JSON Schema, as a message names them. */
export const TYPES: Record<string, string> = { integer: 'an integer', number: 'a number', string: 'a string', boolean: 'true or false', array: 'an array', object: 'an object', null: 'null' }

/** One sentence for the sender of a request: which value, and what was expected of it. It never repeats the value. */
export function describe (part: HttpPart, error: ErrorObject): string {
  const path = error.instancePath.split('/').slice(1).map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const { params } = error as { params: Record<string, string> }
  if (error.keyword === 'required') return `${subject(part, [...path, params.missingProperty!])} is required.`
  if (error.keyword === 'additionalProperties') return `${subject(part, [...path, params.additionalProperty!])} is not known.`
  if (error.keyword === 'unevaluatedProperties') return `${subject(part, [...path, params.unevaluatedProperty!])} is not known.`
  return `${subject(part, path)} ${expectation(error.keyword, params, error.message)}.`
}

function subject (part: HttpPart, path: string[]): string {
  if (path.length === 0) return 'The body'
  const name = path.join('.')
  return `${NOUNS[part]} '${name.length > 100 ? `${name.slice(0, 100)}…` : name}'`
}

function expectation (keyword: string, params: Record<string, unknown>, message = 'is not valid'): string {
  switch (keyword) {
    case 'type': return `must be ${[params.type].flat().map((type) => TYPES[String(type)] ?? type).join(' or ')}`
    case 'enum': return `must be one of: ${(params.allowedValues as unknown[]).join(', ')}`
    case 'const': return `must be ${params.allowedValue}`
    case 'minimum': return `must be at least ${params.limit}`
    case 'maximum': return `must be at most ${params.limit}`
    case 'exclusiveMinimum': return `must be more than ${params.limit}`
    case 'exclusiveMaximum': return `must be less than ${params.limit}`
    case 'range': return `must be from ${params.minimum} to ${params.maximum}`
    case 'multipleOf': return `must be a multiple of ${params.limit}`
    case 'minLength': return `must have at least ${count(params.limit, 'character')}`
    case 'maxLength': return `must have at most ${count(params.limit, 'character')}`
    case 'minItems': return `must have at least ${count(params.limit, 'item')}`
    case 'maxItems': return `must have at most ${count(params.limit, 'item')}`
    case 'pattern': return `must match the pattern ${params.pattern}`
    case 'format': return `must be a valid ${params.format}`
    default: return message
  }
}

function count (limit: unknown, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`
}
