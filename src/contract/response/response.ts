import { Readable } from 'node:stream'
import { isJson, isRange, keyFor, mediaTypeOf } from '../document/media-type.js'
import { responseFor, type Operation } from '../operation/operation.js'
import { Answer } from './answer.js'
import type { SerializedResponse } from './interceptor.js'
import type { Serialize } from './serializer.js'

/**
 * Makes the response of what a handler returned, with its media type: JSON by its schema, any other type as the handler
 * has it.
 * @throws {Error} when a handler answers with what the document does not declare; that is a fault of the handler
 */
export function serializedResponseOf (result: unknown, operation: Operation, serialize: Serialize): SerializedResponse {
  const {
    body,
    headers,
    status = operation.success,
    type
  } = (result instanceof Answer ? result : new Answer(result)) as Answer<unknown, number, string>
  const fault = (what: string) => new Error(`The handler ${operation.operationId} ${what}.`)
  if (status === undefined) throw fault('must answer with a status, as the document does not have one 2xx')
  const response = responseFor(operation, status)
  if (!response) throw fault(`answers with ${status}, which the document does not declare`)
  if (body === undefined) return { status, headers, body }

  const { content = {} } = response
  const written = type ?? defaultTypeFor(Object.keys(content), body)
  const media = written === undefined ? undefined : mediaTypeOf(written)
  if (!media || isRange(media)) throw fault(`answers ${status} with a body, but not with a media type of it`)
  const key = keyFor(content, media)
  if (key === undefined) throw fault(`answers ${status} with ${written}, which the document does not declare`)
  const typed = { status, headers: { ...headers, 'Content-Type': contentTypeOf(media.essence, written!) } }
  if (isJson(media)) return { ...typed, body: serialize(content[key]!.schema ?? {}, body) }
  if (!isSendable(body)) throw fault(`answers ${status} with ${written}, which must be a string, bytes or a stream`)
  return { ...typed, body }
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
