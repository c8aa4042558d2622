import { ContractError } from '../document/contract-error.js'
import { isForm, isJson, isMultipart, isRange, isText, isXml, mediaTypeOf } from '../document/media-type.js'
import type { Content, ResponseObject } from '../document/openapi.js'
import { pointerTo, type Located } from '../document/pointer.js'
import type { Schema } from '../document/schema.js'
import type { Schemas } from '../document/schemas.js'
import { allowsScalar } from './parameter-style.js'

/**
 * Checks the media types of a request body.
 * @throws {ContractError} for one that is none, or that is described in a way that is not supported
 */
export function checkBody ({ value: { content }, pointer }: Located<{ content: Content }>): void {
  if (typeof content !== 'object') {
    throw new ContractError(`${pointer}: this is referred to as a request body, but is none.`)
  }
  checkMediaTypes(content, pointer)
  for (const [type, media] of Object.entries(content)) {
    const encodings = Object.values(media.encoding ?? {})
    const name = SEQUENTIAL.find((field) => [media, ...encodings].some((object) => field in object))
    const nested = encodings.some((encoding) => 'encoding' in encoding) ? 'encoding' : undefined
    const unsupported = name ?? nested
    if (unsupported === undefined) continue
    const place = pointerTo(pointer, 'content', type)
    throw new ContractError(`${place}: the ${unsupported} of a request body is not supported.`)
  }
}

/** How OpenAPI 3.2 describes the items of a body one by one. */
const SEQUENTIAL = ['itemSchema', 'prefixEncoding', 'itemEncoding']

/**
 * Tells whether a schema can describe a body of a media type as it is read: bytes and text are no object, and a form is
 * nothing else. OpenAPI does not say how to read a body whose schema asks for more.
 */
export function describesBody (schemas: Schemas, type: string, schema: Schema): boolean {
  const media = mediaTypeOf(type)!
  const types = schemas.types(schema)
  if (types.length === 0 || isRange(media) || isJson(media) || isXml(media)) return true
  if (isForm(media) || isMultipart(media)) return types.includes('object')
  return types.includes('string') || (isText(media) && allowsScalar(types))
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
