import type { ErrorObject } from 'ajv'
import type { ParameterObject } from '../document/openapi.js'
import { PATTERN_MESSAGE } from '../document/pattern.js'
import { escapeToken, tokensOf } from '../document/pointer.js'

/** In the schema of the headers of a request, how the document spells their names, by the names in small letters. */
export const SPELLINGS = 'x-spellings'

/** The part of a request in which a value stands: its body, or where OpenAPI says that a parameter is. */
export type RequestPart = 'body' | ParameterObject['in']

/** What a message calls a value, by the part of the request in which it stands. */
export const NOUNS: Record<RequestPart, string> = {
  body: 'Body property',
  query: 'Query parameter',
  path: 'Path parameter',
  header: 'Header',
  cookie: 'Cookie'
}

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

/** How many faults one message names, and how many alternatives of one of them. */
const MOST_FAULTS = 5
const MOST_ALTERNATIVES = 3

/** A fault of one value; `types` when all that is wrong is the type of the value. */
interface Fault {
  pointer: string
  clause: string
  types?: string[]
}

/**
 * Writes the message to the sender of a request: a sentence for each value that is wrong, five at most, which names it
 * and says what was expected of it. It never repeats a value, and nothing in it is longer than what the document says
 * and 100 characters of a name. A name that is compared in small letters is written as `spellings` has it.
 */
export function describeFaults (
  part: RequestPart,
  errors: ErrorObject[],
  spellings: Record<string, string> = {}
): string {
  const spelling = new Map(Object.entries(spellings))
  const subject = (pointer: string): string => {
    const [name, ...within] = tokensOf(pointer)
    return subjectOf(part, name === undefined ? [] : [spelling.get(name) ?? name, ...within])
  }
  const clauses = new Map<string, string>()
  for (const { pointer, clause } of faultsOf(part, errors, subject)) {
    if (!clauses.has(pointer)) clauses.set(pointer, clause)
  }
  const sentences = [...clauses.values()].slice(0, MOST_FAULTS).map((clause) => `${clause}.`)
  if (clauses.size > MOST_FAULTS) sentences.push(`And ${clauses.size - MOST_FAULTS} more.`)
  return sentences.join(' ')
}

/**
 * Gives what a message calls a value: `Body property 'tags.0'`. Names are the sender's, so they are cut, and what
 * cannot be seen of them is replaced.
 */
export function subjectOf (part: RequestPart, path: string[]): string {
  if (path.length === 0) return 'The body'
  const name = path.join('.')
  const cut = name.length > 100 ? `${name.slice(0, 100)}…` : name
  const visible = cut.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')
  return `${NOUNS[part]} '${visible}'`
}

/**
 * Ajv reports the alternatives of an anyOf or oneOf one after the other, and then that none of them fits; here they are
 * one fault.
 */
function faultsOf (part: RequestPart, errors: ErrorObject[], subject: (pointer: string) => string): Fault[] {
  const faults: Fault[] = []
  for (const error of errors) {
    const fault = faultOf(part, error, subject)
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      let first = faults.length
      while (first > 0 && `${faults[first - 1]!.pointer}/`.startsWith(`${fault.pointer}/`)) first--
      const alternatives = faults.splice(first)
      faults.push(alternatives.length === 0 ? fault : joined(subject(fault.pointer), fault.pointer, alternatives))
    } else if (error.keyword !== 'if' && error.propertyName === undefined) faults.push(fault)
  }
  return faults
}

/** The faults of several alternatives as one. Those of another type than the value say nothing, unless all are. */
function joined (subject: string, pointer: string, alternatives: Fault[]): Fault {
  const ofSameType = alternatives.filter((fault) => fault.pointer !== pointer || !fault.types)
  if (ofSameType.length === 0) {
    const types = new Set(alternatives.flatMap(({ types = [] }) => types))
    return { pointer, clause: `${subject} must be ${typesInWords([...types])}` }
  }
  const clauses = [...new Set(ofSameType.map(({ clause }) => clause))].slice(0, MOST_ALTERNATIVES)
  const [first, ...others] = clauses
  const continued = others.map((clause) => clause[0]!.toLowerCase() + clause.slice(1))
  return { pointer, clause: [first, ...continued].join(', or ') }
}

function faultOf (
  part: RequestPart,
  { keyword, instancePath, params, message, data, parentSchema }: ErrorObject,
  subject: (pointer: string) => string
): Fault {
  const names = params as Record<string, string | undefined>
  const at = (name: string | undefined, rest: string): Fault => {
    const pointer = name === undefined ? instancePath : `${instancePath}/${escapeToken(name)}`
    return { pointer, clause: `${subject(pointer)} ${rest}` }
  }
  switch (keyword) {
    case 'required':
      return at(names.missingProperty, 'is required')
    case 'dependentRequired':
    case 'dependencies':
      return at(names.missingProperty, `is required with '${names.property}'`)
    case 'additionalProperties':
      return at(names.additionalProperty, 'is not known')
    case 'unevaluatedProperties':
      return at(names.unevaluatedProperty, 'is not known')
    case 'propertyNames':
      return at(names.propertyName, 'has a name that is not allowed')
    case 'type':
      if (part !== 'body' && Array.isArray(data)) return at(undefined, 'may be given only once')
      return { ...at(undefined, expectation(keyword, params, message)), types: [params.type].flat() }
    case 'pattern':
      return at(undefined, parentSchema?.[PATTERN_MESSAGE] ?? `must match the pattern ${params.pattern}`)
    default:
      return at(undefined, expectation(keyword, params, message))
  }
}

function expectation (keyword: string, params: Record<string, unknown>, message = 'is not valid'): string {
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
      return `must be a multiple of ${params.multipleOf ?? params.limit}`
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

function typesInWords (types: string[]): string {
  return types.map((type) => TYPES[type] ?? type).join(' or ')
}

function valuesInWords (values: unknown[]): string {
  const texts = values.slice(0, 20).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return [...texts, ...(values.length > 20 ? ['…'] : [])].join(', ')
}

function count (limit: unknown, noun: string, several = `${noun}s`): string {
  return `${limit} ${limit === 1 ? noun : several}`
}
