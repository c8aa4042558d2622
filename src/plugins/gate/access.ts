import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Operation } from '../../contract/index.js'
import type { ApiKey } from '../../domain/api-keys.js'
import { ApiError } from '../../domain/errors.js'
import { missingScopes } from '../../domain/scopes.js'

/**
 * Gives the API key of a request; undefined when it carries none that is valid. Where there are limits, it counts the
 * request and throws the 429.
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
      const { operation } = request
      // The list of methods needs no key; an operation of the document may.
      if (request.method === 'OPTIONS' && !operation) return
      const refusal = refusalOf(request, operation, await admit(request, reply))
      if (refusal) throw refusal
    })
  },
  { name: 'access', dependencies: ['operation'] }
)

/** The refusal of a request that carries this API key, or none; undefined when it may go on. */
function refusalOf (
  request: FastifyRequest,
  operation: Operation | undefined,
  apiKey: Pick<ApiKey, 'scopes'> | undefined
): ApiError | undefined {
  if (operation && isOpen(operation)) return undefined
  if (!apiKey) return unauthorized(request)
  // An unknown path needs a key, and no scopes; a key that names no scopes has all of them.
  if (!operation || !apiKey.scopes) return undefined
  const needed = operation.security.map((requirement) => Object.values(requirement).flat())
  if (needed.some((scopes) => missingScopes(apiKey, scopes).length === 0)) return undefined
  return forbidden(apiKey, needed[0]!)
}

/** Whether the document lets anybody call an operation: it requires nothing, or nothing is one of its alternatives. */
function isOpen ({ security }: Operation): boolean {
  return security.length === 0 || security.some((requirement) => Object.keys(requirement).length === 0)
}

/** Admits a valid key, as the plugin auth finds it, and has rate-limit count the request, with a key or without. */
export const validKey: Admit = async (request, reply) => {
  const apiKey = await request.server.identify(request, reply)
  await request.server.charge(request, apiKey)
  return apiKey
}

/** Admits whatever is sent as a bearer key, for all scopes and without a limit. */
export const anyKey: Admit = async ({ headers }) =>
  /^bearer +\S+$/i.test(headers.authorization ?? '') ? {} : undefined

/** Gives the 401 to a request, the same for every cause (contract, section 5; RFC 6750, section 3). */
function unauthorized ({ headers }: FastifyRequest): ApiError {
  const sent = headers.authorization === undefined ? '' : ', error="invalid_token"'
  return new ApiError('unauthorized', undefined, { 'WWW-Authenticate': `${CHALLENGE}${sent}` })
}

/** Gives the 403 to a key that has not all of these scopes (RFC 6750, section 3.1). */
function forbidden (apiKey: Pick<ApiKey, 'scopes'>, scopes: string[]): ApiError {
  const missing = missingScopes(apiKey, scopes)
  const message = `This API key lacks the scope${missing.length > 1 ? 's' : ''} ${missing.join(', ')}.`
  return new ApiError('forbidden', message, {
    'WWW-Authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${scopes.join(' ')}"`
  })
}
