import { ContractError } from '../document/contract-error.js'
import type { Content, Document, ResponseObject } from '../document/document.js'
import { isForm, isJson, isMultipart, isRange, isText, isXml, mediaTypeOf } from '../document/media-type.js'
import { pointerTo, type Place } from '../document/reference.js'
import { typesOf } from '../document/schema.js'

/**
 * Checks that a request body can be read in each of its media types.
 * @throws {ContractError} for one whose schema asks for what cannot be read from it
 */
export function checkBody (document: Document, { value: { content }, pointer }: Place<{ content: Content }>): void {
  if (typeof content !== 'object') {
    throw new ContractError(`${pointer}: this is referred to as a request body, but is none.`)
  }
  checkTypes(content, pointer)
  for (const [type, { schema = {} }] of Object.entries(content)) {
    const media = mediaTypeOf(type)!
    if (isRange(media) || [isJson, isForm, isMultipart, isXml].some((is) => is(media))) continue
    const types = typesOf(document, schema)
    const fits =
      types.length === 0 ||
      types.includes('string') ||
      (isText(media) && types.some((one) => one !== 'object' && one !== 'array'))
    if (!fits) {
      throw new ContractError(
        `${pointerTo(pointer, 'content', type)}: a body of ${type} is ${isText(media) ? 'text' : 'bytes'}, but its schema asks for ${types.join(' or ')}, which is not supported.`
      )
    }
  }
}

/** @throws {ContractError} for a media type that is none */
export function checkResponse ({ value: { content = {} }, pointer }: Place<ResponseObject>): void {
  checkTypes(content, pointer)
}

function checkTypes (content: Content, pointer: string): void {
  const bad = Object.keys(content).find((type) => !mediaTypeOf(type))
  if (bad !== undefined) throw new ContractError(`${pointerTo(pointer, 'content')}: '${bad}' is no media type.`)
}
