import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'

/** The response to a request, ready to be sent; `headers` are the operation's own, `body` is serialized. */
export interface SerializedResponse {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array | Readable | undefined
}

/**
 * Called in the place of the work of every operation, that is its handler and serializer, and gives what is sent: what
 * `work` gives, or something else. Errors pass through it.
 */
export type Interceptor = (
  request: FastifyRequest,
  work: () => Promise<SerializedResponse>
) => Promise<SerializedResponse>
