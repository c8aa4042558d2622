import bearerAuth from '@fastify/bearer-auth'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import { isSecret, isValid, sha256, type ApiKey, type ApiKeyRepository } from '../../domain/api-keys.js'
import type { Clock } from '../../domain/clock.js'
import type { IsCurrent } from '../../domain/snapshot.js'
import { headerCount } from '../header-count.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The API key that a request carries; undefined when it carries none that is valid. Counts and refuses nothing. */
    identify(request: FastifyRequest, reply: FastifyReply): Promise<ApiKey | undefined>
  }
  interface FastifyRequest {
    apiKey: ApiKey | null
  }
}

/** How many headers the cache holds, at about 700 bytes each. */
const MAX_CACHED = 20_000

/**
 * Finds who is calling. Only the Authorization header counts, with the scheme Bearer in any case.
 *
 * @fastify/bearer-auth reads the header and asks `auth` about the secret in it. Its own 401 is not used: the gate
 * counts a refused call first, and gives the challenge of the contract (section 5). The hash of a header that it has
 * accepted is cached with the key, which is looked up again once any key has changed.
 */
export const auth = fp<{ apiKeys: ApiKeyRepository; clock: Clock }>(
  async (app, { apiKeys, clock }) => {
    const cache = new LRUCache<string, { hash: string; key: ApiKey; isCurrent: IsCurrent | undefined }>({
      max: MAX_CACHED
    })
    const use = (request: FastifyRequest, key: ApiKey | undefined): ApiKey | undefined => {
      if (!key || !isValid(key, clock.now())) return undefined
      request.apiKey = key
      return key
    }
    const find = async (request: FastifyRequest, hash: string): Promise<ApiKey | undefined> => {
      const isCurrent = apiKeys.mark()
      const key = await apiKeys.findByHash(hash)
      if (key) cache.set(sha256(request.headers.authorization!), { hash, key, isCurrent })
      return use(request, key)
    }

    app.decorateRequest('apiKey', null)
    await app.register(bearerAuth, {
      addHook: false,
      keys: [],
      specCompliance: 'rfc6749', // the scheme is case-insensitive
      verifyErrorLogLevel: 'debug',
      auth: async (secret: string, request: FastifyRequest) =>
        isSecret(secret) && (await find(request, sha256(secret))) !== undefined
    })

    app.decorate('identify', async (request, reply) => {
      if (headerCount(request.raw, 'authorization') !== 1) return undefined
      const cached = cache.get(sha256(request.headers.authorization!))
      if (cached?.isCurrent?.()) return use(request, cached.key)
      if (cached) return await find(request, cached.hash)
      const failure = await new Promise<Error | undefined>((resolve) => {
        app.verifyBearerAuth!(request, reply, resolve)
      })
      if (failure && !isRefusal(failure)) throw failure
      return request.apiKey ?? undefined
    })
  },
  { name: 'auth' }
)

/** Whether the plugin refuses the header; another failure is that of the look-up. */
function isRefusal (failure: Error): boolean {
  return 'code' in failure && String(failure.code).startsWith('FST_BEARER_AUTH_')
}
