import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Operation } from '../operation/operation.js'

/**
 * The response to a request, ready to be sent; `headers` are the operation's own, `body` is serialized. An answer that
 * is given again has the same object for its response.
 */
export interface SerializedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | Readable | undefined
}

/** Gives the response to a request, or the promise of it. */
export type Work = (request: FastifyRequest) => SerializedResponse | Promise<SerializedResponse>

/**
 * Is given the work of each operation, that is its handler and serializer, and gives what is done in its place: the
 * same work, where the operation does not concern it. Errors pass through it.
 */
export type Interceptor = (operation: Operation, work: Work) => Work
