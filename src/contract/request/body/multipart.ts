import { isBinary } from '../../validation/binary.js'
import type { EncodingObject, MediaTypeObject } from '../../document/document.js'
import { parseJson } from '../json.js'
import { isJson, mediaTypeOf } from '../../document/media-type.js'
import { RequestError } from '../request-error.js'
import { scalarOf } from '../scalar.js'
import {
  itemsOf,
  partsOf,
  prefixItemsOf,
  propertiesOf,
  propertyOf,
  typesOf,
  type Schema
} from '../../document/schema.js'

interface Part {
  name: string
  type: string | undefined
  content: Buffer
}

type Field = (part: Part) => unknown

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads a `multipart/form-data` body by its schema (RFC 7578): files are bytes, objects are JSON, an array is the
 * repeated part (OpenAPI 3.1.1, section 4.8.15.2). The names of files are not kept.
 */
export function multipartReaderOf (
  document: object,
  { schema = {}, encoding = {} }: MediaTypeObject
): (bytes: Buffer, boundary: string | undefined) => Record<string, unknown> {
  const fieldFor = (name: string) => {
    const property = propertyOf(document, schema, name)
    const many = typesOf(document, property).includes('array')
    const [rest, ...firsts] = (
      many ? [itemsOf(document, property), ...prefixItemsOf(document, property)] : [property]
    ).map((one) => fieldOf(document, one, encoding[name]))
    return { many, read: (part: Part, index: number) => (firsts[index] ?? rest!)(part) }
  }
  const fields = new Map([...propertiesOf(document, schema).names].map((name) => [name, fieldFor(name)]))
  return (bytes, boundary) => {
    const parts = new Map<string, Part[]>()
    for (const part of partsIn(bytes, boundary)) {
      const namesakes = parts.get(part.name)
      if (namesakes) namesakes.push(part)
      else parts.set(part.name, [part])
    }
    return Object.fromEntries(
      [...parts].map(([name, list]) => {
        const { many, read } = fields.get(name) ?? fieldFor(name)
        const values = list.map(read)
        return [name, many || values.length > 1 ? values : values[0]]
      })
    )
  }
}

function fieldOf (document: object, schema: Schema, { contentType }: EncodingObject = {}): Field {
  const types = typesOf(document, schema)
  const scalar = scalarOf(document, schema)
  const media = contentType === undefined ? undefined : mediaTypeOf(contentType)
  const binary = partsOf(document, schema).some(isBinary)
  return ({ name, type, content }) => {
    const sent = type === undefined ? undefined : mediaTypeOf(type)
    const refuse = (what: string) => new RequestError(400, `Body property '${name.slice(0, 100)}' ${what}.`)
    if (!binary && (types.includes('object') || (sent && isJson(sent)) || (media && isJson(media)))) {
      try {
        return parseJson(content)
      } catch {
        throw refuse('is not valid JSON')
      }
    }
    // Without a type, what is not text is a file.
    if (binary || (types.length === 0 && sent && !sent.essence.startsWith('text/'))) return content
    try {
      return scalar(utf8.decode(content))
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
  return rest.map((part) => {
    const [, head = '', content] = /^[ \t]*\r\n((?:[^\r\n]+\r\n)*)\r\n([^]*)$/.exec(part) ?? []
    if (content === undefined) throw malformed()
    const headers = new Map(
      head
        .split('\r\n')
        .filter(Boolean)
        .map((line): [string, string] => {
          const at = line.indexOf(':')
          return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]
        })
    )
    const disposition = headers.get('content-disposition') ?? ''
    const [, name] = /;\s*name="((?:[^"\\]|\\.)*)"/i.exec(disposition) ?? /;\s*name=([^\s;"]+)/i.exec(disposition) ?? []
    if (!/^form-data\s*;/i.test(disposition) || name === undefined || headers.has('content-transfer-encoding')) {
      throw malformed()
    }
    return { name: nameOf(name), type: headers.get('content-type'), content: Buffer.from(content, 'latin1') }
  })
}

/** A name as browsers write it: UTF-8, with three characters percent-encoded. */
function nameOf (text: string): string {
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
  return new RequestError(400, 'The body is not valid multipart/form-data.')
}
