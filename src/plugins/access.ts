import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError } from '../domain/errors.js'
import { lackOf } from '../domain/scopes.js'

/**
 * The gate before every path under the base path, known or not: identify, count, refuse. It stands in onRequest, so nothing of a
 * body is read for a request that it refuses. Denied by default: only an operation that the document leaves open needs no key. Of the
 * security requirements of an operation one must be met, with all its scopes (OpenAPI 3.1, section 4.8.30).
 */
export const access = fp(async (app) => {
  // Its own, so that Fastify runs this gate for unknown paths too.
  app.setNotFoundHandler(() => { throw new ApiError('not_found') })
  app.addHook('onRequest', async (request, reply) => {
    const { operation } = request.routeOptions.config
    // The list of methods needs no key; an operation of the document may.
    if (request.method === 'OPTIONS' && !operation) return
    const apiKey = await app.identify(request, reply)
    await app.charge(request, apiKey)
    if (isOpen(request)) return
    if (!apiKey) throw app.unauthorized(request)
    const [first, ...others] = (operation?.security ?? []).map((requirement) => Object.values(requirement).flat())
    if (first && [first, ...others].every((scopes) => lackOf(apiKey, scopes).length > 0)) throw app.forbidden(apiKey, first)
  })
}, { name: 'access', dependencies: ['auth', 'rate-limit'] })

/** Whether a request needs no key: the list of methods, and an operation that the document leaves open. */
export function isOpen ({ method, routeOptions: { config: { operation } } }: FastifyRequest): boolean {
  if (!operation) return method === 'OPTIONS'
  return operation.security.length === 0 || operation.security.some((requirement) => Object.keys(requirement).length === 0)
}
