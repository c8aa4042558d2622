import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Operation } from '../operation/operation.js'

/**
 * The response to a request, ready to be sent; `headers` are the operation's own, their names in small letters; `body`
 * is serialized. An answer that is given again has the same object for its response.
 */
export interface SerializedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | Readable | undefined
}

/** Gives the response to a request, or the promise of it: the handler of an operation and what writes its answers. */
export type Work = (request: FastifyRequest) => SerializedResponse | Promise<SerializedResponse>

/** What stands around the operations of a document. Where one does not concern it, it gives what it was given. */
export interface Interceptor {
  /** Changes a response of an operation when it is written: one that is given again is written once. */
  written?: (operation: Operation, response: SerializedResponse) => SerializedResponse
  /** Is given the work of each operation, and gives what is done in its place. Errors pass through it. */
  around?: (operation: Operation, work: Work) => Work
}
