import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Operation } from '../operation/operation.js'
import type { Answer } from './answer.js'

/**
 * The response to a request, ready to be sent: `headers` are the operation's own, their names in lower case; `body` is
 * serialized; `isCurrent` is that of the handler's {@link Answer}.
 */
export interface SerializedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | Readable | undefined
  readonly isCurrent?: Answer<unknown>['isCurrent']
}

/** Returns the response to a request: the handler of an operation, and what serializes its answers. */
export type Work = (request: FastifyRequest) => Promise<SerializedResponse>

/**
 * Wraps the work of each operation of a document; returns it as it is where the operation does not concern it. Errors
 * pass through.
 */
export type Interceptor = (operation: Operation, work: Work) => Work
