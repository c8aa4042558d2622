import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { withoutSecrets } from '../../domain/api-keys.js'

/**
 * Names each request in X-Request-Id and writes one line to the log when it was answered: never a key, never a query
 * string. A successful probe is logged at debug level.
 */
export const requestLog = fp(
  async (app) => {
    app.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id)
      done()
    })
    app.addHook('onResponse', (request, reply, done) => {
      const isHealthyProbe = reply.statusCode < 400 && !request.operation && request.routeOptions.config.probe
      request.log[isHealthyProbe ? 'debug' : 'info'](
        {
          method: request.method,
          path: pathOf(request),
          route: request.route,
          operationId: request.operation?.operationId,
          keyId: request.apiKey?.id,
          address: request.ip,
          status: reply.statusCode,
          code: reply.errorCode,
          ms: Math.round(reply.elapsedTime * 10) / 10
        },
        'answered'
      )
      done()
    })
  },
  { name: 'request-log' }
)

function pathOf (request: FastifyRequest): string {
  const { url } = request
  const end = url.search(/[?#;]/)
  return withoutSecrets(end === -1 ? url : url.slice(0, end)).slice(0, 200)
}
