import fp from 'fastify-plugin'
import { ApiError } from '../domain/errors.js'
import { isOpen } from './access.js'
import { unauthorized } from './auth.js'

/** The gate of the mock: like the service it asks for a key, but any will do. */
export const anyKey = fp(async (app) => {
  // Its own, so that Fastify runs this gate for unknown paths too.
  app.setNotFoundHandler(() => { throw new ApiError('not_found') })
  app.addHook('onRequest', async (request) => {
    if (!isOpen(request) && !/^bearer +\S+$/i.test(request.headers.authorization ?? '')) throw unauthorized(request)
  })
}, { name: 'any-key' })
