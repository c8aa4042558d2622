import { ContractError } from './contract-error.js'
import { visitPlaces } from './schema.js'

/** A value of the document and the JSON pointer (RFC 6901) to it, written as a URI fragment. */
export interface Place<Value> {
  value: Value
  pointer: string
}

/** `#/paths/~1pets` and `get` give `#/paths/~1pets/get`. */
export function pointerTo (parent: string, ...names: (string | number)[]): string {
  return [
    parent,
    ...names.map((name) => encodeURIComponent(String(name).replaceAll('~', '~0').replaceAll('/', '~1')))
  ].join('/')
}

/** `#/paths/~1pets/get` gives `paths`, `/pets` and `get`. */
export function partsOf (pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => decode(part).replaceAll('~1', '/').replaceAll('~0', '~'))
}

/**
 * Follows `$ref`s until something else stands there.
 * @throws {ContractError} when a reference leaves the document, leads nowhere or leads back to itself
 */
export function resolve<Value> (document: object, place: Place<Value>): Place<Value> {
  const seen = new Set<string>()
  let { value, pointer } = place
  while (hasReference(value)) {
    if (seen.has(value.$ref)) throw new ContractError(`${pointer}: the reference ${value.$ref} leads back to itself.`)
    seen.add(value.$ref)
    pointer = value.$ref
    value = lookUp(document, value.$ref, place.pointer) as Value
  }
  return { value, pointer }
}

/**
 * @throws {ContractError} for the first `$ref` of the document that cannot be followed, or leads into data, where
 * nothing is checked
 */
export function checkReferences (document: object): void {
  const places = new Map<unknown, string>()
  visitPlaces(document, ({ value, pointer }) => places.set(value, pointer))
  for (const [value, pointer] of places) {
    if (!hasReference(value)) continue
    const { value: target } = resolve(document, { value, pointer } as Place<unknown>)
    if (typeof target === 'object' && target !== null && !places.has(target)) {
      throw new ContractError(
        `${pointer}: the reference ${value.$ref} leads into an extension, an example or a list of values, which is not supported.`
      )
    }
  }
}

/**
 * What a `$ref` that stands at `from` leads to, be it another reference.
 * @throws {ContractError} when it leaves the document or leads nowhere
 */
export function lookUp (document: object, reference: string, from: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) {
    throw new ContractError(`${from}: the reference ${reference} leaves the document.`)
  }
  let value: unknown = document
  for (const name of partsOf(reference)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
      throw new ContractError(`${from}: the reference ${reference} leads nowhere.`)
    }
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

function hasReference (value: unknown): value is { $ref: string } {
  return typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string'
}

/** A part of a URI without its percent signs; as it is, when they mean nothing. */
function decode (part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
