import { errorCodes, type FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

export interface TimeLimitOptions {
  /** How long a request may take until it is answered, in milliseconds. */
  limit: number
  /** How often requests are looked for that take longer, in milliseconds. */
  interval: number
}

/**
 * Answers for a handler that does not answer within the limit. Fastify's `handlerTimeout` does so too, with a timer and
 * an AbortController for each request, which cost a tenth of the time of a request; here one timer serves all.
 */
export const timeLimit = fp<TimeLimitOptions>(
  async (app, { limit, interval }) => {
    const timer = setInterval(() => {
      app.underWay.endThose(
        ({ elapsedTime }) => elapsedTime >= limit,
        (reply) => end(reply, limit)
      )
    }, interval).unref()
    app.addHook('onClose', (_app, done) => {
      clearInterval(timer)
      done()
    })
  },
  { name: 'time-limit', dependencies: ['under-way'] }
)

function end (reply: FastifyReply, limit: number): void {
  if (reply.sent) return
  const error = new errorCodes.FST_ERR_HANDLER_TIMEOUT(String(limit), reply.request.route ?? '')
  // An answer that has begun cannot become another one any more.
  if (reply.raw.headersSent) reply.raw.destroy(error)
  else reply.send(error)
}
