import fp from 'fastify-plugin'
import type { Clock } from '../../domain/clock.js'
import { PLANS } from '../../domain/plans.js'
import { decide, type Decision } from '../../domain/usage.js'
import { headersOf } from './rate-limit.js'

const { free } = PLANS

/**
 * The limit headers of a server that counts nothing: every answer is the first that its caller gets, but a 429 tells of
 * a minute that is spent. The windows are those of now, as `clock` has it.
 */
export const freshLimits = fp<{ clock: Clock }>(
  async (app, { clock }) => {
    const decisionAfter = (used: number): Decision =>
      decide({ quota: free }, { minute: used, day: used }, clock.now())

    app.decorate('limitHeadersOf', () => headersOf(decisionAfter(0)))
    app.addHook('onSend', (_request, reply, _payload, done) => {
      const isRefusal = reply.statusCode === 429
      const decision = decisionAfter(isRefusal ? free.perMinute : 0)
      reply.headers(headersOf(decision))
      if (isRefusal) reply.header('Retry-After', String(Math.ceil((decision.resetAt - decision.at) / 1000)))
      done()
    })
  },
  { name: 'fresh-limits' }
)
