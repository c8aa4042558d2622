import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startService, type Service } from '../../support/service.js'

/** How long a handler may take here, in milliseconds. */
const LIMIT = 1_000

t.test('an answer that is ready when the limit is found to be over is sent, and nothing else', async (t) => {
  const { call } = await startService(t, {
    timeLimits: { headers: 60_000, request: 60_000, handler: LIMIT, untaken: 60_000, check: 20 },
    wrap: ({ categories, ...others }: Service['repositories']) => ({
      ...others,
      categories: {
        ...categories,
        async list (...given: Parameters<typeof categories.list>) {
          const end = performance.now() + LIMIT
          await sleep(LIMIT / 10)
          // As a commit does, it ends behind the timers of its turn: they look next, before anything is written.
          await nextTurn()
          while (performance.now() < end);
          return await categories.list(...given)
        }
      }
    })
  })
  const { status, text, headers } = await call('GET', '/categories')
  t.same({ status, text, retryAfter: headers.get('retry-after') }, { status: 200, text: '[]', retryAfter: null })
})
