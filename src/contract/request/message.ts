import type { ErrorObject } from 'ajv'

/** Where a value stood, in the words of a message. */
const NOUNS = {
  body: 'Body property',
  querystring: 'Query parameter',
  params: 'Path parameter',
  headers: 'Header',
  cookies: 'Cookie'
} as const

export type HttpPart = keyof typeof NOUNS

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

/** A fault at one place; `types` when all that is wrong is the type of the value. */
interface Fault {
  place: string
  clause: string
  types?: string[]
}

/**
 * The message to the sender of a request: a sentence for each value that is wrong, five at most, which names it and
 * says what was expected of it. It never repeats a value, and nothing in it is longer than what the document says and
 * 100 characters of a name.
 */
export function describe (part: HttpPart, errors: ErrorObject[]): string {
  const clauses = new Map<string, string>()
  for (const { place, clause } of faultsOf(part, errors)) if (!clauses.has(place)) clauses.set(place, clause)
  const sentences = [...clauses.values()].slice(0, MOST_FAULTS).map((clause) => `${clause}.`)
  if (clauses.size > MOST_FAULTS) sentences.push(`And ${clauses.size - MOST_FAULTS} more.`)
  return sentences.join(' ')
}

/**
 * `Body property 'tags.0'`: a value in the words of a message. Names are the sender's, so they are cut, and only what
 * can be seen of them is shown.
 */
export function subjectOf (part: HttpPart, path: string[]): string {
  if (path.length === 0) return 'The body'
  const name = path.join('.')
  const shown = (name.length > 100 ? `${name.slice(0, 100)}…` : name)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')
  return `${NOUNS[part]} '${shown}'`
}

/**
 * Ajv reports the alternatives of an anyOf or oneOf one after the other, and then that none of them fits; here they are
 * one fault.
 */
function faultsOf (part: HttpPart, errors: ErrorObject[]): Fault[] {
  const faults: Fault[] = []
  for (const error of errors) {
    const fault = faultOf(part, error)
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      let first = faults.length
      while (first > 0 && `${faults[first - 1]!.place}/`.startsWith(`${fault.place}/`)) first--
      const alternatives = faults.splice(first)
      faults.push(
        alternatives.length === 0 ? fault : { place: fault.place, clause: oneOf(part, fault.place, alternatives) }
      )
    } else if (error.keyword !== 'if' && error.propertyName === undefined) faults.push(fault)
  }
  return faults
}

/** Alternatives of another type than the value say nothing, unless all are. */
function oneOf (part: HttpPart, place: string, alternatives: Fault[]): string {
  const telling = alternatives.filter((fault) => fault.place !== place || !fault.types)
  if (telling.length === 0) {
    return `${subjectOf(part, namesIn(place))} must be ${inWords([...new Set(alternatives.flatMap(({ types }) => types ?? []))])}`
  }
  const clauses = [...new Set(telling.map(({ clause }) => clause))].slice(0, MOST_ALTERNATIVES)
  return clauses
    .map((clause, index) => (index === 0 ? clause : clause[0]!.toLowerCase() + clause.slice(1)))
    .join(', or ')
}

function faultOf (part: HttpPart, { keyword, instancePath, params, message, data }: ErrorObject): Fault {
  const {
    missingProperty: missing,
    additionalProperty,
    unevaluatedProperty,
    propertyName
  } = params as Record<string, string | undefined>
  const at = (name: string | undefined, rest: string): Fault => {
    const place =
      name === undefined ? instancePath : `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return { place, clause: `${subjectOf(part, namesIn(place))} ${rest}` }
  }
  if (keyword === 'required') return at(missing, 'is required')
  if (keyword === 'dependentRequired' || keyword === 'dependencies') {
    return at(missing, `is required with '${params.property}'`)
  }
  if (keyword === 'additionalProperties') return at(additionalProperty, 'is not known')
  if (keyword === 'unevaluatedProperties') return at(unevaluatedProperty, 'is not known')
  if (keyword === 'propertyNames') return at(propertyName, 'has a name that is not allowed')
  if (keyword === 'type' && part !== 'body' && Array.isArray(data)) return at(undefined, 'may be given only once')
  const fault = at(undefined, expectation(keyword, params, message))
  return keyword === 'type' ? { ...fault, types: [params.type].flat() } : fault
}

/** The names in a JSON pointer (RFC 6901). */
function namesIn (pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function expectation (keyword: string, params: Record<string, unknown>, message = 'is not valid'): string {
  switch (keyword) {
    case 'type':
      return `must be ${inWords([params.type].flat().map(String))}`
    case 'enum':
      return `must be one of: ${listed(params.allowedValues as unknown[])}`
    case 'const':
      return `must be ${listed([params.allowedValue])}`
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
    case 'pattern':
      return `must match the pattern ${params.pattern}`
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

function inWords (types: string[]): string {
  return types.map((type) => TYPES[type] ?? type).join(' or ')
}

function listed (values: unknown[]): string {
  const texts = values.slice(0, 20).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return [...texts, ...(values.length > 20 ? ['…'] : [])].join(', ')
}

function count (limit: unknown, noun: string, several = `${noun}s`): string {
  return `${limit} ${limit === 1 ? noun : several}`
}
