import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import type { Interceptor, Operation, SerializedResponse } from '../../contract/index.js'
import { evaluate, isConditional } from './conditional.js'

/** How much memory the responses may take, in bytes. */
const MAX_BYTES = 64 * 2 ** 20
/** What a response takes beside its body and target: its headers, its objects, its place in the cache; in bytes. */
const OVERHEAD = 1_024

/**
 * Caches the responses of reads in memory. A hit is sent before the request is validated, and so skips validation, the
 * handler, the database, serialization and the ETag; limits, keys and preconditions hold for it as for any other.
 *
 * The key is the request target. So only operations are cached whose parameters are all in the path and the query, and
 * of these only responses whose handler tells how long they are current ({@link Answer.cacheableWhile}): on SQLite,
 * until a commit changes a row that they were read from. `Authorization` needs no place in the key, since no handler
 * knows its caller.
 *
 * @param maxBytes what the responses may take; beyond it, those not used for the longest time are evicted
 */
export function responseCache ({ maxBytes = MAX_BYTES } = {}): {
  plugin: FastifyPluginAsync
  interceptor: Interceptor
} {
  const cacheable = new Set<Operation>()
  const responses = new LRUCache<string, SerializedResponse>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }, target) => OVERHEAD + target.length + sizeOf(body as string)
  })
  return {
    plugin: fp(
      async (app) => {
        app.addHook('preValidation', (request, reply, done) => {
          const target = request.raw.url!
          const cached = request.operation && cacheable.has(request.operation) ? responses.get(target) : undefined
          if (!cached) return done()
          if (!cached.isCurrent!()) {
            responses.delete(target)
            return done()
          }
          const { status, headers, body } = evaluate(request, cached)
          reply.code(status).headers(headers).send(body)
        })
      },
      { name: 'response-cache', dependencies: ['operation'] }
    ),

    interceptor (operation, work) {
      if (!isCacheable(operation)) return work
      cacheable.add(operation)
      return async (request) => {
        const response = await work(request)
        const { status, body, isCurrent } = response
        if (isCurrent && status === 200 && typeof body === 'string') responses.set(request.raw.url!, response)
        return response
      }
    }
  }
}

/** Returns the bytes of a text in memory: V8 gives each character two unless all of them are Latin-1. */
function sizeOf (text: string): number {
  return Buffer.byteLength(text) === text.length ? text.length : 2 * text.length
}

function isCacheable (operation: Operation): boolean {
  return (
    operation.method === 'get' &&
    isConditional(operation) &&
    operation.parameters.every(
      ({ in: place, name }) => place === 'path' || place === 'query' || name.toLowerCase() === 'if-none-match'
    )
  )
}
