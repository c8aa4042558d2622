/**
 * A request that does not fit the document. `expose` says that there is a message and that it is meant for the caller;
 * `headers` belong on the answer.
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
