/**
 * Says that a request does not fit the document. Its message, if any, is meant for the caller; `headers` belong on the
 * answer.
 */
export class RequestError extends Error {
  override readonly name = 'RequestError'

  constructor (
    readonly statusCode: number,
    message?: string,
    readonly headers: Record<string, string> = {}
  ) {
    super(message)
  }
}
