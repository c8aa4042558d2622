import fp from 'fastify-plugin'
import type { Clock } from '../../domain/clock.js'
import type { DailyUsageRepository } from '../../domain/api-keys/daily-usage.js'

/** Counts how the requests of each API key were answered, on the day on which the limits counted the request. */
export const dailyUsage = fp<{ repository: DailyUsageRepository; clock: Clock }>(
  async (app, { repository, clock }) => {
    app.addHook('onResponse', ({ apiKey, decision }, { statusCode }, done) => {
      if (apiKey) repository.note(apiKey.id, statusCode, decision?.at ?? clock.now())
      done()
    })
  },
  { name: 'daily-usage', dependencies: ['auth', 'rate-limit'] }
)
