import type { ErrorObject } from 'ajv'
import { expectation, typesInWords } from '../document/expectation.js'
import { PATTERN_MESSAGE } from '../document/pattern.js'
import { escapeToken, tokensOf } from '../document/pointer.js'
import { faultAt, subjectOf, type Fault, type RequestPart } from './request-error.js'

/** In the schema of the headers of a request, how the document spells their names, by the names in small letters. */
export const SPELLINGS = 'x-spellings'

/** How many faults one message names, and how many alternatives of one of them. */
const MOST_FAULTS = 5
const MOST_ALTERNATIVES = 3

/**
 * What is wrong with one value, as a sentence without its point, and what was expected of the value alone; `types` when
 * it is nothing but its type.
 */
interface Finding {
  pointer: string
  clause: string
  expectation: string
  types?: string[]
}

/**
 * Writes the message to the sender of a request: a sentence for each value that is wrong, five at most, which names it
 * and says what was expected of it; and gives the same values for programs. The message never repeats a value, and
 * nothing in it is longer than what the document says and 100 characters of a name. A name that is compared in small
 * letters is written as `spellings` has it.
 */
export function describeFaults (
  part: RequestPart,
  errors: ErrorObject[],
  spellings: Record<string, string> = {}
): { message: string; faults: Fault[] } {
  const spelling = new Map(Object.entries(spellings))
  const pathOf = (pointer: string): string[] => {
    const [name, ...within] = tokensOf(pointer)
    return name === undefined ? [] : [spelling.get(name) ?? name, ...within]
  }
  const first = new Map<string, Finding>()
  for (const finding of findingsOf(part, errors, (pointer) => subjectOf(part, pathOf(pointer)))) {
    if (!first.has(finding.pointer)) first.set(finding.pointer, finding)
  }
  const named = [...first.values()].slice(0, MOST_FAULTS)
  const sentences = named.map(({ clause }) => `${clause}.`)
  if (first.size > MOST_FAULTS) sentences.push(`And ${first.size - MOST_FAULTS} more.`)
  return {
    message: sentences.join(' '),
    faults: named.map(({ pointer, expectation }) => faultAt(part, pathOf(pointer), expectation))
  }
}

/**
 * Ajv reports the alternatives of an anyOf or oneOf one after the other, and then that none of them fits; here they are
 * one fault.
 */
function findingsOf (
  part: RequestPart,
  errors: ErrorObject[],
  subject: (pointer: string) => string
): Finding[] {
  const findings: Finding[] = []
  for (const error of errors) {
    const finding = findingOf(part, error, subject)
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      let first = findings.length
      while (first > 0 && `${findings[first - 1]!.pointer}/`.startsWith(`${finding.pointer}/`)) first--
      const alternatives = findings.splice(first)
      const { pointer } = finding
      findings.push(alternatives.length === 0 ? finding : joined(subject(pointer), pointer, alternatives))
    } else if (error.keyword !== 'if' && error.propertyName === undefined) findings.push(finding)
  }
  return findings
}

/** The findings of several alternatives as one. Those of another type than the value say nothing, unless all are. */
function joined (subject: string, pointer: string, alternatives: Finding[]): Finding {
  const ofSameType = alternatives.filter((finding) => finding.pointer !== pointer || !finding.types)
  if (ofSameType.length === 0) {
    const types = new Set(alternatives.flatMap(({ types = [] }) => types))
    const expectation = `must be ${typesInWords([...types])}`
    return { pointer, clause: `${subject} ${expectation}`, expectation }
  }
  const clauses = [...new Set(ofSameType.map(({ clause }) => clause))].slice(0, MOST_ALTERNATIVES)
  const [first, ...others] = clauses
  const continued = others.map((clause) => clause[0]!.toLowerCase() + clause.slice(1))
  const isOfOneValue = ofSameType.every((finding) => finding.pointer === pointer)
  const expectations = [...new Set(ofSameType.map(({ expectation }) => expectation))].slice(0, MOST_ALTERNATIVES)
  return {
    pointer,
    clause: [first, ...continued].join(', or '),
    expectation: isOfOneValue ? expectations.join(', or ') : 'fits none of its alternatives'
  }
}

function findingOf (
  part: RequestPart,
  { keyword, instancePath, params, message, data, parentSchema }: ErrorObject,
  subject: (pointer: string) => string
): Finding {
  const names = params as Record<string, string | undefined>
  const at = (name: string | undefined, expectation: string): Finding => {
    const pointer = name === undefined ? instancePath : `${instancePath}/${escapeToken(name)}`
    return { pointer, clause: `${subject(pointer)} ${expectation}`, expectation }
  }
  switch (keyword) {
    case 'required':
      return at(names.missingProperty, 'is required')
    case 'dependentRequired':
    case 'dependencies':
      return at(names.missingProperty, `is required with '${names.property}'`)
    case 'additionalProperties':
      return at(names.additionalProperty, 'is not known')
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
