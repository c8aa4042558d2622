import type { components } from '../../generated/server.js'

/** Largest request body, in bytes; the document says the same. */
export const BODY_LIMIT = 16 * 1024

export type ErrorCode = components['schemas']['ErrorCode']

/** One value of a request that is wrong (`Fault` in the document). */
export type Fault = components['schemas']['Fault']

/** Every error code of the API: its HTTP status, and what is said where nothing more exact is known. */
const ERRORS = {
  bad_request: [400, 'The request is not valid.'],
  unauthorized: [401, 'Missing or invalid API key. Send it as: Authorization: Bearer <key>'],
  forbidden: [403, 'This API key may not use this operation.'],
  not_found: [404, 'There is nothing at this address.'],
  method_not_allowed: [405, 'This path does not have this method. The Allow header lists those it has.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  conflict: [409, 'The request contradicts the state of the resource.'],
  idempotency_key_in_use: [
    409,
    'A request with this Idempotency-Key is being answered. Wait as long as the Retry-After header says.'
  ],
  gone: [410, 'This operation was removed.'],
  precondition_failed: [412, 'A precondition, If-Match or If-None-Match, is false. Nothing was changed.'],
  payload_too_large: [413, `The body may have at most ${BODY_LIMIT} bytes.`],
  uri_too_long: [414, 'The address is too long.'],
  unsupported_media_type: [415, 'The body must be sent as Content-Type: application/json, without a Content-Encoding.'],
  expectation_failed: [417, 'The only expectation that can be met is 100-continue.'],
  idempotency_key_reused: [
    422,
    'This Idempotency-Key was used for another request. Send a new one with each new request.'
  ],
  rate_limited: [429, 'Rate limit exceeded. Wait as long as the Retry-After header says.'],
  key_banned: [429, 'This API key is banned for a while. Wait as long as the Retry-After header says.'],
  headers_too_large: [431, 'The header fields are too large.'],
  internal_error: [500, 'The service failed. Quote the X-Request-Id header when you report this.'],
  not_implemented: [501, 'The only transfer coding that is understood is chunked.'],
  unavailable: [503, 'The service cannot answer now. Wait as long as the Retry-After header says.'],
  http_version_not_supported: [505, 'The service speaks HTTP/1.1.']
} as const satisfies Record<ErrorCode, readonly [status: number, message: string]>

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[]

/** Gives the HTTP status of an error code. */
export function statusOf (code: ErrorCode): number {
  return ERRORS[code][0]
}

/** Gives the error code of an HTTP status; one without a code of its own has that of 400 or 500. */
export function codeOf (status: number): ErrorCode {
  const own = ERROR_CODES.find((code) => statusOf(code) === status)
  return own ?? (status >= 400 && status < 500 ? 'bad_request' : 'internal_error')
}

/**
 * An error answer: its message is meant for the caller, its headers belong on the answer. `faults` are the values of
 * the request that the message tells of.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly statusCode: number

  constructor (
    readonly code: ErrorCode,
    message: string = ERRORS[code][1],
    readonly headers: Record<string, string> = {},
    readonly faults: Fault[] = []
  ) {
    super(message)
    this.statusCode = statusOf(code)
  }

  /** The Error body (contract, section 2). */
  get body (): components['schemas']['Error'] {
    return { code: this.code, message: this.message, status: this.statusCode }
  }
}

/**
 * The storage cannot do its work now. A write that broke off on its way may have been stored, where storage is another
 * machine. The caller is told to try again; the cause is for the log.
 */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
  readonly statusCode = 503
}
