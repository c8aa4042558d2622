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
import { refusalOf, RequestError } from '../request-error.js'
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

/** The key of a content that a Content-Type belongs to, and the media type that this names. */
export interface Match {
  contentKey: string
  media: MediaType
}

/** How many Content-Type headers are known, so that one which many send is parsed once. */
const MOST_KNOWN = 100

/**
 * Makes what finds the key of a content that a Content-Type belongs to. Without a Content-Type a body is bytes (RFC
 * 9110, section 8.3). It throws a RequestError 415.
 */
export function contentMatcherOf (content: Content): (contentType: string | undefined) => Match {
  return remembered((contentType: string | undefined) => {
    const media = contentType === undefined ? BYTES : mediaTypeOf(contentType)
    const contentKey = media && keyFor(content, media)
    if (!media || contentKey === undefined) throw new RequestError(415)
    return { contentKey, media }
  })
}

/** Makes the reader of the bodies of an operation, each as the media type says that it was sent as. */
export function bodyReaderOf (schemas: Schemas, content: Content): BodyReader {
  const match = contentMatcherOf(content)
  const readers = new Map<string, Reader>()
  const readerOf = remembered((contentType: string | undefined) => {
    const { contentKey, media } = match(contentType)
    // A key may be a range, so that the bodies that it declares are read in more ways than one.
    const format = FORMATS.findIndex(({ has }) => has(media))
    const name = `${format} ${contentKey}`
    const read = readers.get(name) ?? FORMATS[format]!.readerOf(schemas, content[contentKey]!)
    readers.set(name, read)
    return { contentKey, media, read }
  })
  return (bytes, contentType) => {
    const { contentKey, media, read } = readerOf(contentType)
    return { contentKey, value: read(bytes, media) }
  }
}

/** Remembers what a function gives for some of the headers that it was called with last. */
function remembered<Result> (
  work: (header: string | undefined) => Result
): (header: string | undefined) => Result {
  const known = new Map<string | undefined, Result>()
  return (header) => {
    let result = known.get(header)
    if (result === undefined) {
      result = work(header)
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(header, result)
    }
    return result
  }
}

/** Reads the bytes of a body of a media type. */
type Reader = (bytes: Buffer, media: MediaType) => unknown

/** The formats of bodies, with the makers of their readers; what has none of the others is bytes. */
const FORMATS: {
  has: (media: MediaType) => boolean
  readerOf: (schemas: Schemas, declared: MediaTypeObject) => Reader
}[] = [
  { has: isJson, readerOf: () => parseJson },
  { has: isForm, readerOf: (schemas, declared) => ofText(formReaderOf(schemas, declared)) },
  {
    has: isMultipart,
    readerOf: (schemas, declared) => {
      const read = multipartReaderOf(schemas, declared)
      return (bytes, { parameters }) => read(bytes, parameters.get('boundary'))
    }
  },
  { has: isXml, readerOf: (schemas, { schema = {} }) => ofText(xmlReaderOf(schemas, schema)) },
  { has: isText, readerOf: (schemas, { schema = {} }) => ofText(scalarReaderOf(schemas, schema)) },
  { has: () => true, readerOf: () => (bytes) => bytes }
]

/** The reader of a text in the charset that its media type names. */
function ofText (read: (text: string) => unknown): Reader {
  return (bytes, media) => read(textOf(bytes, media))
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
    throw refusalOf('body', [], `is not ${decoder.encoding}`)
  }
}
