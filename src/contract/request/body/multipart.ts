import { isJson, mediaTypeOf } from '../../document/media-type.js'
import type { EncodingObject, MediaTypeObject } from '../../document/openapi.js'
import { isBinary, type Schema } from '../../document/schema.js'
import type { Schemas } from '../../document/schemas.js'
import { parseJson } from '../json.js'
import { refusalOf, RequestError } from '../request-error.js'
import { scalarReaderOf } from '../scalar.js'

interface Part {
  name: string
  type: string | undefined
  content: Buffer
}

type PartReader = (part: Part) => unknown

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Makes the reader of a `multipart/form-data` body of a schema (RFC 7578): files are bytes, objects are JSON, an array
 * is the repeated part (OpenAPI 3.1.1, section 4.8.15.2). The names of files are not kept. `@fastify/busboy` is not
 * used, as it skips a part without a name, which would be dropped without a word.
 */
export function multipartReaderOf (
  schemas: Schemas,
  { schema = {}, encoding = {} }: MediaTypeObject
): (bytes: Buffer, boundary: string | undefined) => Record<string, unknown> {
  const propertyReaderOf = (name: string): ((parts: Part[]) => unknown) => {
    const property = schemas.property(schema, name)
    const isArray = schemas.types(property).includes('array')
    const readerOf = (item: Schema) => partReaderOf(schemas, item, encoding[name])
    const readFirst = isArray ? schemas.prefixItems(property).map(readerOf) : []
    const readOther = readerOf(isArray ? schemas.items(property) : property)
    return (parts) => {
      const values = parts.map((part, index) => (readFirst[index] ?? readOther)(part))
      return isArray || values.length > 1 ? values : values[0]
    }
  }
  const readers = new Map([...schemas.properties(schema).names].map((name) => [name, propertyReaderOf(name)]))
  return (bytes, boundary) => {
    const parts = new Map<string, Part[]>()
    for (const part of partsIn(bytes, boundary)) {
      const namesakes = parts.get(part.name)
      if (namesakes) namesakes.push(part)
      else parts.set(part.name, [part])
    }
    return Object.fromEntries(
      [...parts].map(([name, namesakes]) => [name, (readers.get(name) ?? propertyReaderOf(name))(namesakes)])
    )
  }
}

function partReaderOf (schemas: Schemas, schema: Schema, { contentType }: EncodingObject = {}): PartReader {
  const types = schemas.types(schema)
  const readScalar = scalarReaderOf(schemas, schema)
  const declared = contentType === undefined ? undefined : mediaTypeOf(contentType)
  const isFile = schemas.applicable(schema).some(isBinary)
  return ({ name, type, content }) => {
    const sent = type === undefined ? undefined : mediaTypeOf(type)
    const refuse = (fault: string) => refusalOf('body', [name], fault)
    const isWrittenAsJson = types.includes('object') || [sent, declared].some((media) => media && isJson(media))
    if (!isFile && isWrittenAsJson) {
      try {
        return parseJson(content)
      } catch {
        throw refuse('is not valid JSON')
      }
    }
    // Without a type, what is not text is a file.
    if (isFile || (types.length === 0 && sent && !sent.essence.startsWith('text/'))) return content
    try {
      return readScalar(utf8.decode(content))
    } catch {
      throw refuse('is not UTF-8')
    }
  }
}

/** The parts of a body (RFC 2046, section 5.1.1), in their order. */
function partsIn (bytes: Buffer, boundary: string | undefined): Part[] {
  if (!boundary) throw new RequestError(400, 'The Content-Type has no boundary.')
  const [preamble, ...rest] = `\r\n${bytes.toString('latin1')}`.split(`\r\n--${boundary}`)
  const end = rest.pop()
  if (preamble !== '' || !end?.startsWith('--')) throw malformed()
  return rest.map(partOf)
}

/** One part, with its header fields (RFC 7578, section 4). */
function partOf (text: string): Part {
  const [, head = '', content] = /^[ \t]*\r\n((?:[^\r\n]+\r\n)*)\r\n([^]*)$/.exec(text) ?? []
  if (content === undefined) throw malformed()
  const lines = head.split('\r\n').filter(Boolean)
  const headers = new Map(
    lines.map((line): [string, string] => {
      const at = line.indexOf(':')
      return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]
    })
  )
  const disposition = headers.get('content-disposition') ?? ''
  const [, name] = /;\s*name="((?:[^"\\]|\\.)*)"/i.exec(disposition) ?? /;\s*name=([^\s;"]+)/i.exec(disposition) ?? []
  if (!/^form-data\s*;/i.test(disposition) || name === undefined || headers.has('content-transfer-encoding')) {
    throw malformed()
  }
  return { name: decodeName(name), type: headers.get('content-type'), content: Buffer.from(content, 'latin1') }
}

/** A name as browsers write it: UTF-8, with three characters percent-encoded. */
function decodeName (text: string): string {
  try {
    return utf8
      .decode(Buffer.from(text, 'latin1'))
      .replace(/\\(.)/g, '$1')
      .replace(/%0D|%0A|%22/gi, decodeURIComponent)
  } catch {
    throw malformed()
  }
}

function malformed (): RequestError {
  return refusalOf('body', [], 'is not valid multipart/form-data')
}
