import { stringify } from 'lossless-json'
import type { Document } from '../../src/contract/document/openapi.js'
import type { Schema } from '../../src/contract/document/schema.js'
import { Schemas } from '../../src/contract/document/schemas.js'
import { TYPES } from '../../src/contract/document/expectation.js'
import { checksOf, type Check } from '../../src/contract/validation/validator.js'
import { alternativesOf, choicesOf, allowedTypes, keywordValues, type Alternative, type Parts } from './alternatives.js'
import { missedLimits, spell } from './limits.js'

/** A schema and the document that its references are of. */
export interface Declared {
  document: Document
  schema: Schema
}

/**
 * What became of the value at a path: `can no longer be null`. The path is empty for the whole, else like
 * `shelf.books[].title`; `*` stands for every property that is not declared.
 */
export interface Change {
  path: string
  text: string
}

/**
 * Lists what a schema of a request no longer takes, or what a schema of an answer may newly give. The one question is
 * whether each value of the given schema fits the wanted one; requests are given by the old document, answers by the
 * new. Objects are open in this sense: a property that a schema does not declare is neither sent nor expected, until it
 * is declared.
 */
export function changesOf (direction: 'request' | 'answer', was: Declared, now: Declared): Change[] {
  const [given, wanted] = direction === 'request' ? [was, now] : [now, was]
  const changes = new Comparison(direction, given.document, wanted.document).compare(
    [given.schema],
    [wanted.schema],
    ''
  )
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()]
}

class Comparison {
  readonly #direction: 'request' | 'answer'
  readonly #documents: { given: Document; wanted: Document }
  /** Pairs that are being compared, so that a schema inside itself ends. */
  readonly #under = new Set<string>()

  constructor (direction: 'request' | 'answer', given: Document, wanted: Document) {
    this.#direction = direction
    this.#documents = { given, wanted }
  }

  compare (given: Schema[], wanted: Schema[], path: string): Change[] {
    const pair = stringify([given, wanted])!
    const isSame = spell(this.#documents.given, given) === spell(this.#documents.wanted, wanted)
    if (isSame || this.#under.has(pair)) return []
    this.#under.add(pair)
    const declared = choicesOf(this.#documents.wanted, wanted)
    const choices = this.#direction === 'answer' ? declared.map(withOpenEnumeration) : declared
    const alternatives = alternativesOf(this.#documents.given, given)
    const changes = alternatives.flatMap((alternative) => {
      const values = enumerated(alternative.parts)
      if (values) {
        const lost = this.#lostValues(values, alternative.parts, choices)
        return lost.map((value) => this.#lost(path, `be ${quote(value)}`))
      }
      const ofType = choices.filter((choice) => takes(allowedTypes(choice), alternative.type))
      if (ofType.length === 0) return [this.#lost(path, otherType(alternative, choices))]
      return fewest(ofType.map((choice) => this.#misses(alternative, choice, path)))
    })
    this.#under.delete(pair)
    return [
      ...changes,
      ...this.#changedDefault(
        alternatives.flatMap(({ parts }) => parts),
        choices.flat(),
        path
      )
    ]
  }

  #lostValues (values: unknown[], given: Parts, choices: Parts[]): unknown[] {
    const fitsGiven = checkOf(this.#documents.given, given)
    const fitsWanted = choices.map((choice) => checkOf(this.#documents.wanted, choice))
    return values.filter((value) => fitsGiven(value) && !fitsWanted.some((fits) => fits(value)))
  }

  /** In which ways a value of the alternative may miss parts that take its type. */
  #misses (given: Alternative, wanted: Parts, path: string): Change[] {
    const { parts, type } = given
    const enumeration = enumerated(wanted)
    return [
      ...(enumeration ? [this.#lost(path, `be something other than ${enumeration.map(quote).join(', ')}`)] : []),
      ...missedLimits(this.#documents, given, wanted).map((phrase) => this.#lost(path, phrase)),
      ...(type === undefined || type === 'array' ? this.#missesOfItems(parts, wanted, path) : []),
      ...(type === undefined || type === 'object' ? this.#missesOfProperties(parts, wanted, path) : [])
    ]
  }

  #missesOfItems (given: Parts, wanted: Parts, path: string): Change[] {
    const items = keywordValues<Schema>(wanted, 'items')
    return items.length > 0 ? this.compare(keywordValues(given, 'items'), items, `${path}[]`) : []
  }

  #missesOfProperties (given: Parts, wanted: Parts, path: string): Change[] {
    const names = new Set(
      [...given, ...wanted].flatMap(({ properties = {}, required = [] }) => [...Object.keys(properties), ...required])
    )
    const others = [otherProperties(given), otherProperties(wanted)] as const
    return [
      ...[...names].flatMap((name) => this.#missesOfProperty(name, given, wanted, within(path, name))),
      ...(isClosed(wanted) && !isClosed(given) ? [this.#lost(path, 'have properties that are not declared')] : []),
      ...(others[1].length > 0 && !isClosed(given) ? this.compare(...others, within(path, '*')) : [])
    ]
  }

  #missesOfProperty (name: string, given: Parts, wanted: Parts, path: string): Change[] {
    const [mine, theirs] = [declarationsOf(given, name), declarationsOf(wanted, name)]
    const [was, now] = this.#direction === 'request' ? [mine, theirs] : [theirs, mine]
    if (was.length > 0 && now.length === 0) return [{ path, text: 'is removed' }]
    const demanded = isRequired(wanted, name) && !isRequired(given, name)
    return [
      ...(demanded
        ? [this.#direction === 'request' ? { path, text: 'is now required' } : this.#lost(path, 'be missing')]
        : []),
      ...(mine.length > 0 && isClosed(wanted, name) && !isClosed(given, name) ? [this.#lost(path, 'be present')] : []),
      ...(mine.length > 0 && theirs.length > 0 ? this.compare(mine, theirs, path) : [])
    ]
  }

  /** What those get who send nothing: they relied on the default, or on there being none. */
  #changedDefault (was: Parts, now: Parts, path: string): Change[] {
    if (this.#direction === 'answer') return []
    const [[before], [after]] = [keywordValues(was, 'default'), keywordValues(now, 'default')]
    if (stringify(before) === stringify(after)) return []
    if (before === undefined) return [{ path, text: `now has the default ${quote(after)}` }]
    return [
      {
        path,
        text:
          after === undefined
            ? `no longer has the default ${quote(before)}`
            : `has the default ${quote(after)}, no longer ${quote(before)}`
      }
    ]
  }

  #lost (path: string, phrase: string): Change {
    return { path, text: this.#direction === 'request' ? `can no longer ${phrase}` : `may now ${phrase}` }
  }
}

/**
 * Parts without their enumeration where one of them says, by `x-open-enum`, that more values may come: whoever reads an
 * answer expects any value of its type.
 */
function withOpenEnumeration (parts: Parts): Parts {
  const isOpen = parts.some((part) => part['x-open-enum'] === true)
  return isOpen ? parts.map(({ enum: _, const: __, ...part }) => part) : parts
}

function fewest (lists: Change[][]): Change[] {
  return lists.reduce((one, other) => (other.length < one.length ? other : one))
}

function takes (types: string[] | undefined, type: string | undefined): boolean {
  return !types || (type !== undefined && (types.includes(type) || (type === 'integer' && types.includes('number'))))
}

/** That none of the choices takes this type, as a phrase. */
function otherType ({ type }: Alternative, choices: Parts[]): string {
  if (choices.length === 0) return 'be present'
  const types = [...new Set(choices.flatMap((choice) => allowedTypes(choice) ?? []))].map((name) => TYPES[name] ?? name)
  if (type === undefined) return `be something other than ${types.join(' or ')}`
  return type === 'number' && types.includes(TYPES.integer!) ? 'be a fraction' : `be ${TYPES[type] ?? type}`
}

/** Compiled once for each document, as many schemas are compared. */
const checkers = new WeakMap<Document, (schema: Schema) => Check>()

/** Tells whether a value fits schemas of a document, as the service itself would find. */
function checkOf (document: Document, schemas: Schema[]): (value: unknown) => boolean {
  const checker = checkers.get(document) ?? checksOf(new Schemas(document))
  checkers.set(document, checker)
  const check = checker({ allOf: schemas })
  return (value) => check(structuredClone(value)) === true
}

function enumerated (parts: Parts): unknown[] | undefined {
  const lists = parts.map((part) => ('const' in part ? [part.const] : (part.enum as unknown[] | undefined)))
  return lists.find((list) => list !== undefined)
}

/** What the parts say of a property, by its name or as one of the others. */
function declarationsOf (parts: Parts, name: string): Schema[] {
  return parts.flatMap((part) =>
    part.properties && Object.hasOwn(part.properties, name) ? [part.properties[name]!] : otherProperties([part])
  )
}

function otherProperties (parts: Parts): Schema[] {
  return keywordValues<Schema | boolean>(parts, 'additionalProperties').filter((value) => typeof value === 'object')
}

function isRequired (parts: Parts, name: string): boolean {
  return parts.some(({ required }) => required?.includes(name))
}

/** Whether a property of this name, or of one that is nowhere declared, may not be there. */
function isClosed (parts: Parts, name?: string): boolean {
  const declares = ({ properties }: Schema) =>
    name !== undefined && properties !== undefined && Object.hasOwn(properties, name)
  return (
    parts.some((part) => part.additionalProperties === false && !declares(part)) ||
    (parts.some((part) => part.unevaluatedProperties === false) && !parts.some(declares))
  )
}

/** Writes the place of a value within another: `shelf` and `books[]` give `shelf.books[]`. */
export function within (path: string, name: string): string {
  const isOneName = path === '' || name === '' || name.startsWith('[]')
  return isOneName ? path + name : `${path}.${name}`
}

function quote (value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(stringify(value))
}
