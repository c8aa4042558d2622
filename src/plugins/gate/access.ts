import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { ApiKey } from '../../domain/api-keys.js'
import { ApiError } from '../../domain/errors.js'
import { lackOf } from '../../domain/scopes.js'

/**
 * Gives the API key that a request is admitted with; undefined when it has none that is good enough. Throws the 429,
 * where there are limits.
 */
type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<Pick<ApiKey, 'scopes'> | undefined>

const CHALLENGE = 'Bearer realm="petstore"'

/**
 * The gate before every path under the base path, known or not: identify, count, refuse. It stands in onRequest, so
 * nothing of a body is read for a request that it refuses. Denied by default: only an operation that the document
 * leaves open needs no key. Of the security requirements of an operation one must be met, with all its scopes (OpenAPI
 * 3.1, section 4.8.30).
 */
export const access = fp<{ admit: Admit }>(
  async (app, { admit }) => {
    // Its own, so that Fastify runs this gate for unknown paths too.
    app.setNotFoundHandler(() => {
      throw new ApiError('not_found')
    })
    app.addHook('onRequest', async (request, reply) => {
      const { operation } = request.routeOptions.config
      // The list of methods needs no key; an operation of the document may.
      if (request.method === 'OPTIONS' && !operation) return
      const apiKey = await admit(request, reply)
      const needed = operation?.security.map((requirement) => ({
        schemes: Object.keys(requirement),
        scopes: Object.values(requirement).flat()
      }))
      if (needed?.length === 0 || needed?.some(({ schemes }) => schemes.length === 0)) return
      if (!apiKey) throw unauthorized(request)
      if (needed?.every(({ scopes }) => lackOf(apiKey, scopes).length > 0)) throw forbidden(apiKey, needed[0]!.scopes)
    })
  },
  { name: 'access' }
)

/**
 * Admits with a valid key, as the plugin auth finds it, and has the request counted by rate-limit, whether there is one
 * or not.
 */
export const validKey: Admit = async (request, reply) => {
  const apiKey = await request.server.identify(request, reply)
  await request.server.charge(request, apiKey)
  return apiKey
}

/** Admits with whatever is sent as a key, for all scopes and without a limit. */
export const anyKey: Admit = async ({ headers }) =>
  /^bearer +\S+$/i.test(headers.authorization ?? '') ? {} : undefined

/** The 401 to a request, the same for every cause (contract, section 5; RFC 6750, section 3). */
function unauthorized ({ headers }: FastifyRequest): ApiError {
  const sent = headers.authorization === undefined ? '' : ', error="invalid_token"'
  return new ApiError('unauthorized', undefined, { 'WWW-Authenticate': `${CHALLENGE}${sent}` })
}

/** The 403 to a key that lacks some of these scopes (RFC 6750, section 3.1). */
function forbidden (apiKey: Pick<ApiKey, 'scopes'>, scopes: string[]): ApiError {
  const lack = lackOf(apiKey, scopes)
  return new ApiError('forbidden', `This API key lacks the scope${lack.length > 1 ? 's' : ''} ${lack.join(', ')}.`, {
    'WWW-Authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${scopes.join(' ')}"`
  })
}
