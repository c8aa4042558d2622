import { ContractError } from './contract-error.js'
import { fragmentTokensOf, type Located } from './pointer.js'

/**
 * Follows the `$ref`s from a place in the document until something else stands there.
 * @throws {ContractError} when a reference leaves the document, leads nowhere or leads back to itself
 */
export function resolve<Value> (document: object, located: Located<Value>): Located<Value> {
  const seen = new Set<string>()
  let { value, pointer } = located
  while (isReference(value)) {
    if (seen.has(value.$ref)) throw new ContractError(`${pointer}: the reference ${value.$ref} leads back to itself.`)
    seen.add(value.$ref)
    pointer = value.$ref
    value = lookUp(document, value.$ref, located.pointer) as Value
  }
  return { value, pointer }
}

/**
 * Gives what a `$ref` that stands at `from` leads to, be it another reference.
 * @throws {ContractError} when it leaves the document or leads nowhere
 */
export function lookUp (document: object, reference: string, from: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) {
    throw new ContractError(`${from}: the reference ${reference} leaves the document.`)
  }
  let value: unknown = document
  for (const name of fragmentTokensOf(reference)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
      throw new ContractError(`${from}: the reference ${reference} leads nowhere.`)
    }
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

/** Tells whether a value is a Reference Object, or a schema with a `$ref`. */
export function isReference (value: unknown): value is { $ref: string } {
  return typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string'
}
