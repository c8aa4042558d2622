import { errorCodes, type FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

export interface TimeLimitOptions {
  /** How long a request may take until it is answered, in milliseconds. */
  limit: number
  /** How often requests are looked for that take longer, in milliseconds. */
  interval: number
}

declare module 'fastify' {
  interface FastifyReply {
    /** Where this reply stands among those under way. */
    place: number
  }
}

/**
 * Answers for a handler that does not answer within the limit. Fastify's `handlerTimeout` does so too, with a timer and
 * an AbortController for each request, which cost a tenth of the time of a request; here one timer serves all.
 */
export const timeLimit = fp<TimeLimitOptions>(
  async (app, { limit, interval }) => {
    // An array, from the middle of which the last one fills the gap: each change of a Map or Set makes a new table in
    // the end, and those before it keep it from the quick part of the garbage collection.
    const underWay: FastifyReply[] = []
    app.decorateReply('place', -1)
    app.addHook('onRequest', (_request, reply, done) => {
      reply.place = underWay.push(reply) - 1
      done()
    })
    app.addHook('onResponse', (_request, reply, done) => {
      remove(underWay, reply)
      done()
    })
    const timer = setInterval(() => {
      for (const reply of underWay.filter(({ elapsedTime }) => elapsedTime >= limit)) {
        remove(underWay, reply)
        end(reply, limit)
      }
    }, interval).unref()
    app.addHook('onClose', (_app, done) => {
      clearInterval(timer)
      done()
    })
  },
  { name: 'time-limit' }
)

/** Takes a reply out; one that was taken out before stays out. */
function remove (underWay: FastifyReply[], reply: FastifyReply): void {
  const { place } = reply
  if (place === -1) return
  reply.place = -1
  const last = underWay.pop()!
  if (last === reply) return
  underWay[place] = last
  last.place = place
}

function end (reply: FastifyReply, limit: number): void {
  if (reply.sent) return
  const error = new errorCodes.FST_ERR_HANDLER_TIMEOUT(String(limit), reply.request.routeOptions.url ?? '')
  // An answer that has begun cannot become another one any more.
  if (reply.raw.headersSent) reply.raw.destroy(error)
  else reply.send(error)
}
