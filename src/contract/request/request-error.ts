import type { ParameterObject } from '../document/openapi.js'
import { escapeToken } from '../document/pointer.js'

/** The part of a request in which a value stands: its body, or where OpenAPI says that a parameter is. */
export type RequestPart = 'body' | ParameterObject['in']

/**
 * Says that one value of a request is wrong: where it stands, or is missing, and what was expected of it, such as `must
 * be an integer`.
 */
export interface Fault {
  in: RequestPart
  /** Of a parameter, a header or a cookie. */
  name?: string
  /** Of a value in the body: a JSON Pointer (RFC 6901), empty for the whole body. */
  pointer?: string
  message: string
}

/** What a message calls a value, by the part of the request in which it stands. */
const NOUNS: Record<RequestPart, string> = {
  body: 'Body property',
  query: 'Query parameter',
  path: 'Path parameter',
  header: 'Header',
  cookie: 'Cookie'
}

/**
 * Says that a request does not fit the document. Its message, if any, is meant for the caller; `headers` belong on the
 * answer. `faults` has the values that are wrong, where the message names any.
 */
export class RequestError extends Error {
  override readonly name = 'RequestError'

  constructor (
    readonly statusCode: number,
    message?: string,
    readonly headers: Record<string, string> = {},
    readonly faults: Fault[] = []
  ) {
    super(message)
  }
}

/** Makes the 400 for one value of a request, which stands at a path within its part: `must be an integer`. */
export function refusalOf (part: RequestPart, path: string[], expectation: string): RequestError {
  return new RequestError(400, `${subjectOf(part, path)} ${expectation}.`, {}, [faultAt(part, path, expectation)])
}

/** Says of the value at a path of a part of a request that it is wrong. In a parameter, the parameter is named. */
export function faultAt (part: RequestPart, path: string[], message: string): Fault {
  if (part === 'body') return { in: part, pointer: path.map((name) => `/${escapeToken(name)}`).join(''), message }
  return { in: part, name: path[0] ?? '', message }
}

/**
 * Gives what a message calls a value: `Body property 'tags.0'`. Names are the sender's, so they are cut, and what
 * cannot be seen of them is replaced.
 */
export function subjectOf (part: RequestPart, path: string[]): string {
  if (path.length === 0) return 'The body'
  const name = path.join('.')
  const cut = name.length > 100 ? `${name.slice(0, 100)}…` : name
  const visible = cut.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')
  return `${NOUNS[part]} '${visible}'`
}
