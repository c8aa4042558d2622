import { ContractError } from '../contract-error.js'
import type { Located } from '../pointer.js'
import type { Schema } from '../schema.js'
import { visitSchemas } from '../walk.js'

/** Where a document of one file may be thought to lie. */
const ROOT = 'document:/'

/** Keywords by which a schema has a name of its own. */
const NAMES = ['$id', '$anchor', '$dynamicAnchor'] as const

/**
 * Makes every `$ref` of a 3.1 document that leads through an `$id`, an `$anchor` or a `$dynamicAnchor` a JSON pointer
 * (JSON Schema 2020-12, section 8.2), and takes these away.
 * @throws {ContractError} when a `$dynamicRef` could lead to more than one place
 */
export function replaceIds (document: object): void {
  const identified: Located<Schema>[] = []
  visitSchemas(document, (schema) => {
    const isIdentified = [...NAMES, '$dynamicRef'].some((keyword) => typeof schema.value[keyword] === 'string')
    if (isIdentified) identified.push(schema)
  })
  if (identified.length === 0) return

  const { pointers, baseUriAt } = namesOf(identified)
  const dynamic = identified.filter(({ value }) => typeof value.$dynamicAnchor === 'string')
  visitSchemas(document, ({ value, pointer }) => {
    if (typeof value.$dynamicRef === 'string') makeStatic(value, pointer, dynamic)
    if (typeof value.$ref !== 'string') return
    const [uri = '', fragment = ''] = uriOf(value.$ref, baseUriAt(pointer)).split('#')
    const isPointer = fragment === '' || fragment.startsWith('/')
    const target = pointers.get(isPointer ? uri : `${uri}#${fragment}`)
    // What leads nowhere stays as it is, for the check of references to refuse.
    if (target !== undefined) value.$ref = isPointer ? target + fragment : target
  })
  for (const { value } of identified) {
    for (const keyword of NAMES) if (typeof value[keyword] === 'string') delete value[keyword]
  }
}

/** The pointer to each schema by the URIs that it has, and the base URI of any place in the document. */
function namesOf (identified: Located<Schema>[]) {
  const resources: Located<string>[] = [{ value: ROOT, pointer: '#' }]
  const baseUriAt = (pointer: string) =>
    resources.findLast((resource) => `${pointer}/`.startsWith(`${resource.pointer}/`))!.value
  // Outer ones come first, so that what an $id is relative to is known.
  for (const { value, pointer } of identified) {
    if (typeof value.$id === 'string') {
      resources.push({ value: uriOf(value.$id, baseUriAt(pointer)).replace(/#$/, ''), pointer })
    }
  }
  const pointers = new Map(resources.map(({ value, pointer }) => [value, pointer]))
  for (const { value, pointer } of identified) {
    for (const anchor of [value.$anchor, value.$dynamicAnchor]) {
      if (typeof anchor === 'string') pointers.set(`${baseUriAt(pointer)}#${anchor}`, pointer)
    }
  }
  return { pointers, baseUriAt }
}

/** A `$dynamicRef` leads where a `$ref` would, unless several schemas have its anchor. */
function makeStatic (schema: Schema, pointer: string, dynamic: Located<Schema>[]): void {
  const reference = String(schema.$dynamicRef)
  const anchors = dynamic.filter(({ value }) => reference.endsWith(`#${String(value.$dynamicAnchor)}`))
  if (anchors.length > 1) {
    const targets = anchors.map((anchor) => anchor.pointer).join(' or ')
    throw new ContractError(
      `${pointer}: the $dynamicRef ${reference} may lead to ${targets}, which is not supported.`
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
