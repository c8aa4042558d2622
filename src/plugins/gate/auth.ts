import bearerAuth from '@fastify/bearer-auth'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { andThen, type Awaitable } from '../../domain/awaitable.js'
import { isSecret, isValid, sha256, type ApiKey, type ApiKeyRepository } from '../../domain/api-keys.js'
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

/** How many headers are remembered; about 250 bytes each. */
const MOST_REMEMBERED = 20_000

/**
 * Finds who is calling. Only the Authorization header counts, with the scheme Bearer in any case.
 *
 * @fastify/bearer-auth reads the header and asks `auth` about the secret in it. Its own 401 is not used: the gate
 * counts a refused call first, and gives the challenge of the contract (section 5). A header that it has accepted is
 * not given to it again, as it waits for promises each time: only the key is looked for.
 */
export const auth = fp<{ apiKeys: ApiKeyRepository; clock: Clock }>(
  async (app, { apiKeys, clock }) => {
    /** The hashes of the secrets in the headers that were accepted, by the hashes of these headers. */
    const accepted = new Map<string, string>()
    const remember = (header: string, hash: string): void => {
      if (accepted.size >= MOST_REMEMBERED) accepted.clear()
      accepted.set(header, hash)
    }
    const validKeyOf = (request: FastifyRequest, hash: string): Awaitable<ApiKey | undefined> =>
      andThen(apiKeys.findByHash(hash), (key) => {
        if (!key || !isValid(key, clock.now())) return undefined
        request.apiKey = key
        return key
      })

    app.decorateRequest('apiKey', null)
    await app.register(bearerAuth, {
      addHook: false,
      keys: [],
      specCompliance: 'rfc6749', // the scheme is case-insensitive
      verifyErrorLogLevel: 'debug',
      auth: (secret: string, request: FastifyRequest) => {
        if (!isSecret(secret)) return false
        const hash = sha256(secret)
        return andThen(validKeyOf(request, hash), (key) => {
          if (key) remember(sha256(request.headers.authorization!), hash)
          return key !== undefined
        })
      }
    })

    app.decorate('identify', (request, reply) => {
      if (headerCount(request.raw, 'authorization') !== 1) return undefined
      const hash = accepted.get(sha256(request.headers.authorization!))
      if (hash !== undefined) return validKeyOf(request, hash)
      return new Promise<Error | undefined>((resolve) => {
        app.verifyBearerAuth!(request, reply, resolve)
      }).then((failure) => {
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
