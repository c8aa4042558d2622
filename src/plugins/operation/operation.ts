import fp from 'fastify-plugin'
import type { Operation } from '../../contract/index.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The operation of the document that a request is for; undefined where it is for none. */
    operation: Operation | undefined
  }
}

/** Looks once for the operation of a request, as Fastify makes `routeOptions` anew whenever it is asked for. */
export const operation = fp(
  async (app) => {
    app.decorateRequest('operation', undefined)
    app.addHook('onRequest', (request, _reply, done) => {
      request.operation = request.routeOptions.config.operation
      done()
    })
  },
  { name: 'operation' }
)
