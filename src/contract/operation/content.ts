import { ContractError } from '../document/contract-error.js'
import { isForm, isJson, isMultipart, isRange, isText, isXml, mediaTypeOf } from '../document/media-type.js'
import type { Content, ResponseObject } from '../document/openapi.js'
import { pointerTo, type Located } from '../document/pointer.js'
import type { Schemas } from '../document/schemas.js'

/**
 * Checks that a request body can be read in each of its media types.
 * @throws {ContractError} for one whose schema asks for what cannot be read from it
 */
export function checkBody (schemas: Schemas, { value: { content }, pointer }: Located<{ content: Content }>): void {
  if (typeof content !== 'object') {
    throw new ContractError(`${pointer}: this is referred to as a request body, but is none.`)
  }
  checkMediaTypes(content, pointer)
  for (const [type, { schema = {} }] of Object.entries(content)) {
    const media = mediaTypeOf(type)!
    if (isRange(media) || [isJson, isForm, isMultipart, isXml].some((is) => is(media))) continue
    const types = schemas.types(schema)
    const fits =
      types.length === 0 ||
      types.includes('string') ||
      (isText(media) && types.some((one) => one !== 'object' && one !== 'array'))
    if (!fits) {
      const form = isText(media) ? 'text' : 'bytes'
      throw new ContractError(
        `${pointerTo(pointer, 'content', type)}: a body of ${type} is ${form}, ` +
          `but its schema asks for ${types.join(' or ')}, which is not supported.`
      )
    }
  }
}

/**
 * Checks the media types of a response.
 * @throws {ContractError} for one that is none
 */
export function checkResponse ({ value: { content = {} }, pointer }: Located<ResponseObject>): void {
  checkMediaTypes(content, pointer)
}

function checkMediaTypes (content: Content, pointer: string): void {
  const bad = Object.keys(content).find((type) => !mediaTypeOf(type))
  if (bad !== undefined) throw new ContractError(`${pointerTo(pointer, 'content')}: '${bad}' is no media type.`)
}
