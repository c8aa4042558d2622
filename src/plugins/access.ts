import fp from 'fastify-plugin'
import { ApiError } from '../domain/errors.js'

/**
 * The gate before every path under the base path, known or not: identify, count, refuse. It stands in onRequest, so nothing of a
 * body is read for a request that it refuses. Denied by default: only an operation that the document leaves open needs no key.
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
    const security = operation?.security
    const open = security && (security.length === 0 || security.some((requirement) => Object.keys(requirement).length === 0))
    if (!apiKey && !open) throw app.unauthorized(request)
  })
}, { name: 'access', dependencies: ['auth', 'rate-limit'] })
