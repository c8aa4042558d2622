import bearerAuth from '@fastify/bearer-auth'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { hashSecret, isSecret, isValid, type ApiKey, type ApiKeyRepository } from '../../domain/api-keys.js'
import type { Clock } from '../../domain/clock.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The API key that a request carries; undefined when it carries none that is valid. Counts and refuses nothing. */
    identify(request: FastifyRequest, reply: FastifyReply): Promise<ApiKey | undefined>
  }
  interface FastifyRequest {
    apiKey: ApiKey | null
  }
}

/** Finds who is calling. Only the Authorization header counts, with the scheme Bearer in any case. */
export const auth = fp<{ apiKeys: ApiKeyRepository; clock: Clock }>(
  async (app, { apiKeys, clock }) => {
    app.decorateRequest('apiKey', null)
    await app.register(bearerAuth, {
      addHook: false,
      keys: new Set<string>(),
      specCompliance: 'rfc6749', // the scheme is case-insensitive
      verifyErrorLogLevel: 'debug',
      auth: async (secret: string, request: FastifyRequest) => {
        const key = isSecret(secret) ? await apiKeys.findByHash(hashSecret(secret)) : undefined
        if (!key || !isValid(key, clock.now())) return false
        request.apiKey = key
        return true
      }
    })

    app.decorate('identify', async (request, reply) => {
      if (countOf('authorization', request) !== 1) return undefined
      const failure = await new Promise<Error | undefined>((resolve) => {
        app.verifyBearerAuth!(request, reply, resolve)
      })
      if (failure && !(failure as { code?: string }).code?.startsWith('FST_BEARER_AUTH_')) throw failure
      return request.apiKey ?? undefined
    })
  },
  { name: 'auth' }
)

/** How often a header was sent. Node keeps the first Authorization and drops the others without a word. */
function countOf (name: string, request: FastifyRequest): number {
  return request.raw.rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === name).length
}
