import {
  isForm,
  isJson,
  isMultipart,
  isText,
  isXml,
  keyFor,
  mediaTypeOf,
  type MediaType
} from '../../document/media-type.js'
import type { Content, MediaTypeObject } from '../../document/openapi.js'
import type { Schemas } from '../../document/schemas.js'
import { parseJson } from '../json.js'
import { RequestError } from '../request-error.js'
import { scalarReaderOf } from '../scalar.js'
import { formReaderOf } from './form.js'
import { multipartReaderOf } from './multipart.js'
import { xmlReaderOf } from './xml.js'

/** A body as a value, and the key of the content that declares its media type. */
export interface Body {
  contentKey: string
  value: unknown
}

/** Reads the bytes of a body that was sent with a Content-Type. */
export type BodyReader = (bytes: Buffer, contentType: string | undefined) => Body

const BYTES: MediaType = { essence: 'application/octet-stream', parameters: new Map() }

/**
 * Finds the key of a content that a Content-Type belongs to, and parses the media type that this names. Without a
 * Content-Type a body is bytes (RFC 9110, section 8.3).
 * @throws {RequestError} 415
 */
export function matchContent (
  content: Content,
  contentType: string | undefined
): { contentKey: string; media: MediaType } {
  const media = contentType === undefined ? BYTES : mediaTypeOf(contentType)
  const contentKey = media && keyFor(content, media)
  if (!media || contentKey === undefined) throw new RequestError(415)
  return { contentKey, media }
}

/** Makes the reader of the bodies of an operation, each as the media type says that it was sent as. */
export function bodyReaderOf (schemas: Schemas, content: Content): BodyReader {
  const readers = new Map(Object.entries(content).map(([key, declared]) => [key, readersOf(schemas, declared)]))
  return (bytes, contentType) => {
    const { contentKey, media } = matchContent(content, contentType)
    const { read } = readers.get(contentKey)!.find(({ reads }) => reads(media))!
    return { contentKey, value: read(bytes, media) }
  }
}

/** Reads the bodies of some media types. */
interface MediaTypeReader {
  reads: (media: MediaType) => boolean
  read: (bytes: Buffer, media: MediaType) => unknown
}

/** The readers of what one key of a content declares, which may be a range of media types; the last reads any. */
function readersOf (schemas: Schemas, declared: MediaTypeObject): MediaTypeReader[] {
  const { schema = {} } = declared
  const form = formReaderOf(schemas, declared)
  const multipart = multipartReaderOf(schemas, declared)
  const xml = xmlReaderOf(schemas, schema)
  const scalar = scalarReaderOf(schemas, schema)
  return [
    { reads: isJson, read: (bytes) => parseJson(bytes) },
    { reads: isForm, read: (bytes, media) => form(textOf(bytes, media)) },
    { reads: isMultipart, read: (bytes, { parameters }) => multipart(bytes, parameters.get('boundary')) },
    { reads: isXml, read: (bytes, media) => xml(textOf(bytes, media)) },
    { reads: isText, read: (bytes, media) => scalar(textOf(bytes, media)) },
    { reads: () => true, read: (bytes) => bytes }
  ]
}

function textOf (bytes: Buffer, { parameters }: MediaType): string {
  const charset = parameters.get('charset') ?? 'utf-8'
  let decoder
  try {
    decoder = new TextDecoder(charset, { fatal: true, ignoreBOM: true })
  } catch {
    throw new RequestError(415)
  }
  try {
    return decoder.decode(bytes)
  } catch {
    throw new RequestError(400, `The body is not ${decoder.encoding}.`)
  }
}
