import fp from 'fastify-plugin'
import type { Operation } from '../../contract/index.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The operation of the document that a request is for; undefined where it is for none. */
    operation: Operation | undefined
    /** The path template that a request matches: `/v1/pets/{petId}`; undefined where none does. */
    route: string | undefined
  }
}

/** Looks up the operation and route of a request once, as Fastify makes `routeOptions` at each access. */
export const operation = fp(
  async (app) => {
    app.decorateRequest('operation', undefined)
    app.decorateRequest('route', undefined)
    app.addHook('onRequest', (request, _reply, done) => {
      const { config, url } = request.routeOptions
      request.operation = config.operation
      request.route = config.route ?? url
      done()
    })
  },
  { name: 'operation' }
)
