import { ContractError } from '../contract-error.js'
import type { Place } from '../reference.js'
import { visitPlaces, type Schema } from '../schema.js'

/** Where a document of one file may be thought to lie. */
const ROOT = 'document:/'

/**
 * Makes every `$ref` of a 3.1 document that leads through an `$id`, an `$anchor` or a `$dynamicAnchor` a JSON pointer
 * (JSON Schema 2020-12, section 8.2), and takes these away.
 * @throws {ContractError} when a `$dynamicRef` could lead to more than one place
 */
export function nameByPointers (document: object): void {
  const places: Place<Schema>[] = []
  visitPlaces(document, (place) => {
    if (
      ['$id', '$anchor', '$dynamicAnchor', '$dynamicRef'].some((keyword) => typeof place.value[keyword] === 'string')
    ) {
      places.push(place)
    }
  })
  if (places.length === 0) return

  const resources: Place<string>[] = [{ value: ROOT, pointer: '#' }]
  const uriAt = (pointer: string) =>
    resources.findLast((resource) => `${pointer}/`.startsWith(`${resource.pointer}/`))!.value
  // Outer ones come first, so that what an $id is relative to is known.
  for (const { value, pointer } of places) {
    if (typeof value.$id === 'string') {
      resources.push({ value: uriOf(value.$id, uriAt(pointer)).replace(/#$/, ''), pointer })
    }
  }

  const pointers = new Map(resources.map(({ value, pointer }) => [value, pointer]))
  const dynamic = places.filter(({ value }) => typeof value.$dynamicAnchor === 'string')
  for (const { value, pointer } of places) {
    for (const anchor of [value.$anchor, value.$dynamicAnchor]) {
      if (typeof anchor === 'string') pointers.set(`${uriAt(pointer)}#${anchor}`, pointer)
    }
  }
  visitPlaces(document, ({ value, pointer }) => {
    if (typeof value.$dynamicRef === 'string') makeStatic(value, pointer, dynamic)
    if (typeof value.$ref !== 'string') return
    const [uri = '', fragment = ''] = uriOf(value.$ref, uriAt(pointer)).split('#')
    const resource = pointers.get(uri)
    const target =
      fragment === '' || fragment.startsWith('/') ? resource && resource + fragment : pointers.get(`${uri}#${fragment}`)
    // What leads nowhere stays as it is, for the check of references to refuse.
    if (target !== undefined) value.$ref = target
  })
  for (const { value } of places) {
    for (const keyword of ['$id', '$anchor', '$dynamicAnchor']) {
      if (typeof value[keyword] === 'string') delete value[keyword]
    }
  }
}

/** A `$dynamicRef` leads where a `$ref` would, unless several schemas have its anchor. */
function makeStatic (schema: Schema, pointer: string, dynamic: Place<Schema>[]): void {
  const reference = String(schema.$dynamicRef)
  const anchors = dynamic.filter(({ value }) => reference.endsWith(`#${String(value.$dynamicAnchor)}`))
  if (anchors.length > 1) {
    throw new ContractError(
      `${pointer}: the $dynamicRef ${reference} may lead to ${anchors.map((anchor) => anchor.pointer).join(' or ')}, which is not supported.`
    )
  }
  if (schema.$ref !== undefined) {
    throw new ContractError(`${pointer}: a schema with both a $ref and a $dynamicRef is not supported.`)
  }
  schema.$ref = reference
  delete schema.$dynamicRef
}

function uriOf (reference: string, base: string): string {
  return URL.canParse(reference, base) ? new URL(reference, base).href : reference
}
