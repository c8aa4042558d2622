import { Readable } from 'node:stream'
import { isJson, isRange, keyFor, mediaTypeOf } from '../document/media-type.js'
import type { ResponseObject } from '../document/openapi.js'
import type { Schema } from '../document/schema.js'
import { responseFor, type Operation } from '../operation/operation.js'
import { Answer } from './answer.js'
import type { SerializedResponse } from './interceptor.js'
import type { Serialize } from './serializer.js'

/** What the document says of the bodies of one status and type of an operation. */
interface DeclaredBody {
  contentType: string
  /** The schema of a JSON body; undefined for any other type. */
  schema: Schema | undefined
}

/**
 * Makes what turns the results of a handler into responses, with their media types: JSON by its schema, any other type
 * as the handler has it. It throws an Error when a handler answers with what the document does not declare; that is a
 * fault of the handler.
 */
export function responderOf (operation: Operation, serialize: Serialize): (result: unknown) => SerializedResponse {
  // Of answers that name no type: there are as many as the document has statuses.
  const declared = new Map<string, DeclaredBody>()
  return respond

  function respond (result: unknown): SerializedResponse {
    const answer = (result instanceof Answer ? result : new Answer(result)) as Answer<unknown, number, string>
    const { body, status = operation.success, type, isCurrent } = answer
    const headers = withSmallNames(answer.headers)
    const fault = (what: string) => new Error(`The handler ${operation.operationId} ${what}.`)
    if (status === undefined) throw fault('must answer with a status, as the document does not have one 2xx')
    if (body === undefined) {
      responseOrFault(operation, status, fault)
      return { status, headers, body }
    }
    const key = `${status} ${isSendable(body)}`
    const known = (type === undefined && declared.get(key)) || declaredBodyOf(operation, status, { body, type }, fault)
    if (type === undefined) declared.set(key, known)
    const typed = { status, headers: { ...headers, 'content-type': known.contentType }, isCurrent }
    if (known.schema !== undefined) return { ...typed, body: serialize(known.schema, body) }
    if (!isSendable(body)) {
      throw fault(`answers ${status} with ${known.contentType}, which must be a string, bytes or a stream`)
    }
    return { ...typed, body }
  }
}

function withSmallNames (headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

type Fault = (what: string) => Error

function responseOrFault (operation: Operation, status: number, fault: Fault): ResponseObject {
  const response = responseFor(operation, status)
  if (!response) throw fault(`answers with ${status}, which the document does not declare`)
  return response
}

function declaredBodyOf (
  operation: Operation,
  status: number,
  { body, type }: { body: unknown; type: string | undefined },
  fault: Fault
): DeclaredBody {
  const { content = {} } = responseOrFault(operation, status, fault)
  const written = type ?? defaultTypeFor(Object.keys(content), body)
  const media = written === undefined ? undefined : mediaTypeOf(written)
  if (!media || isRange(media)) throw fault(`answers ${status} with a body, but not with a media type of it`)
  const key = keyFor(content, media)
  if (key === undefined) throw fault(`answers ${status} with ${written}, which the document does not declare`)
  const schema = isJson(media) ? (content[key]!.schema ?? {}) : undefined
  return { contentType: contentTypeOf(media.essence, written!), schema }
}

/** The media type of a body whose handler names none: JSON before others, in the order of the document. */
function defaultTypeFor (types: string[], body: unknown): string | undefined {
  const json = types.find((type) => isJson(mediaTypeOf(type)!))
  if (json !== undefined) return json
  if (types[0] !== '*/*') return types[0]
  return isSendable(body) ? 'application/octet-stream' : 'application/json'
}

/** The Content-Type of a body: JSON is UTF-8 anyway, text must say so. */
function contentTypeOf (essence: string, written: string): string {
  return essence === 'application/json' || (essence.startsWith('text/') && !/;\s*charset=/i.test(written))
    ? `${essence}; charset=utf-8`
    : written
}

function isSendable (body: unknown): body is string | Uint8Array | Readable {
  return typeof body === 'string' || body instanceof Uint8Array || body instanceof Readable
}
