import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { withoutSecrets } from '../../domain/api-keys.js'

/**
 * Names each request in X-Request-Id and writes one line to the log when it was answered: never a key, never a query
 * string.
 */
export const requestLog = fp(
  async (app) => {
    app.addHook('onRequest', (request, reply, done) => {
      reply.header('X-Request-Id', request.id)
      done()
    })
    app.addHook('onResponse', (request, reply, done) => {
      request.log.info(
        {
          method: request.method,
          path: pathOf(request),
          operationId: request.routeOptions.config.operation?.operationId,
          keyId: request.apiKey?.id,
          address: request.ip,
          status: reply.statusCode,
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
  return withoutSecrets(request.url.split(/[?#;]/, 1)[0]!).slice(0, 200)
}
