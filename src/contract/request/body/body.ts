import type { Content, MediaTypeObject } from '../../document/document.js'
import { formReaderOf } from './form.js'
import { parseJson } from '../json.js'
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
import { multipartReaderOf } from './multipart.js'
import { RequestError } from '../request-error.js'
import { scalarOf } from '../scalar.js'
import { xmlReaderOf } from './xml.js'

/** A body as a value, and the key of the content that declares it. */
export interface Received {
  key: string
  value: unknown
}

const BYTES: MediaType = { essence: 'application/octet-stream', parameters: new Map() }

/**
 * The key of a content that a Content-Type belongs to, and the type; without a Content-Type a body is bytes (RFC 9110,
 * section 8.3).
 * @throws {RequestError} 415
 */
export function mediaOf (content: Content, contentType: string | undefined): { key: string; media: MediaType } {
  const media = contentType === undefined ? BYTES : mediaTypeOf(contentType)
  const key = media && keyFor(content, media)
  if (!media || key === undefined) throw new RequestError(415)
  return { key, media }
}

/** Reads the bodies of an operation, each as the media type says that it was sent as. */
export function bodyReaderOf (
  document: object,
  content: Content
): (bytes: Buffer, contentType: string | undefined) => Received {
  const readers = new Map(Object.entries(content).map(([key, declared]) => [key, readersOf(document, declared)]))
  return (bytes, contentType) => {
    const { key, media } = mediaOf(content, contentType)
    return {
      key,
      value: readers
        .get(key)!
        .find(({ reads }) => reads(media))!
        .read(bytes, media)
    }
  }
}

interface Reader {
  reads: (media: MediaType) => boolean
  read: (bytes: Buffer, media: MediaType) => unknown
}

function readersOf (document: object, declared: MediaTypeObject): Reader[] {
  const { schema = {} } = declared
  const form = formReaderOf(document, declared)
  const multipart = multipartReaderOf(document, declared)
  const xml = xmlReaderOf(document, schema)
  const scalar = scalarOf(document, schema)
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
