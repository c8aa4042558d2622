import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'

/** What an operation answers, ready to be sent; `headers` are its own, `body` is serialized. */
export interface Outcome {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array | Readable | undefined
}

/**
 * Stands around the work of every operation, that is its handler and serializer, and says what is sent. Errors pass
 * through it.
 */
export type Around = (request: FastifyRequest, work: () => Promise<Outcome>) => Promise<Outcome>
