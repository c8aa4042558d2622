import bearerAuth from '@fastify/bearer-auth'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { andThen, type Awaitable } from '../../domain/awaitable.js'
import { hashSecret, isSecret, isValid, type ApiKey, type ApiKeyRepository } from '../../domain/api-keys.js'
import type { Clock } from '../../domain/clock.js'
import { headerCount } from '../header-count.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The API key that a request carries; undefined when it carries none that is valid. Counts and refuses nothing. */
    identify(request: FastifyRequest, reply: FastifyReply): Awaitable<ApiKey | undefined>
  }
  interface FastifyRequest {
    apiKey: ApiKey | null
  }
}

/**
 * Finds who is calling. Only the Authorization header counts, with the scheme Bearer in any case.
 *
 * @fastify/bearer-auth reads the header and asks `auth` about the secret in it. Its own 401 is not used: the gate
 * counts a refused call first, and gives the challenge of the contract (section 5).
 */
export const auth = fp<{ apiKeys: ApiKeyRepository; clock: Clock }>(
  async (app, { apiKeys, clock }) => {
    app.decorateRequest('apiKey', null)
    await app.register(bearerAuth, {
      addHook: false,
      keys: [],
      specCompliance: 'rfc6749', // the scheme is case-insensitive
      verifyErrorLogLevel: 'debug',
      auth: (secret: string, request: FastifyRequest) =>
        andThen(isSecret(secret) ? apiKeys.findByHash(hashSecret(secret)) : undefined, (key) => {
          if (!key || !isValid(key, clock.now())) return false
          request.apiKey = key
          return true
        })
    })

    app.decorate('identify', (request, reply) => {
      if (headerCount(request, 'authorization') !== 1) return undefined
      const verified = new Promise<Error | undefined>((resolve) => {
        app.verifyBearerAuth!(request, reply, resolve)
      })
      // The plugin asks for the key at once, and tells of it later; a key that is known already is there now.
      if (request.apiKey) return request.apiKey
      return verified.then((failure) => {
        if (failure && !isRefusal(failure)) throw failure
        return request.apiKey ?? undefined
      })
    })
  },
  { name: 'auth' }
)

/** Whether the plugin refuses the header; another failure is that of the look-up. */
function isRefusal (failure: Error): boolean {
  return 'code' in failure && String(failure.code).startsWith('FST_BEARER_AUTH_')
}
