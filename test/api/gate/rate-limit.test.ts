import t from 'tap'
import { startService, type Reply } from '../../support/service.js'

const figures = ({ headers }: Reply) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))
const at = (iso: string) => Date.parse(iso) / 1000

t.test(
  'a key on the plan Free may call 60 times a minute; the next call is a 429 that says when to come back',
  async (t) => {
    const { call, clock, makeKey } = await startService(t)
    const { secret: key } = await makeKey()
    clock.set('2026-03-04T10:20:17.250Z')
    for (let used = 1; used <= 60; used++) {
      const reply = await call('GET', '/pets?limit=1', { key })
      t.same([reply.status, ...figures(reply)], [200, 60, 60 - used, at('2026-03-04T10:21:00Z')])
    }
    const over = await call('GET', '/pets', { key })
    t.same(over.json, {
      code: 'rate_limited',
      message: 'Rate limit exceeded. Wait as long as the Retry-After header says.',
      status: 429
    })
    t.same(figures(over), [60, 0, at('2026-03-04T10:21:00Z')])
    t.equal(over.headers.get('retry-after'), '43')
    clock.set('2026-03-04T10:20:59.999Z')
    t.equal((await call('GET', '/pets', { key })).headers.get('retry-after'), '1', 'rounded up')
    clock.set('2026-03-04T10:21:00Z')
    t.equal((await call('GET', '/pets', { key })).status, 200, 'the next window')
  }
)

t.test('every plan has its numbers', async (t) => {
  const { call, makeKey } = await startService(t)
  for (const [plan, perMinute] of [
    ['free', 60],
    ['pro', 300],
    ['business', 1_000]
  ] as const) {
    const { secret: key } = await makeKey({ plan })
    t.same(figures(await call('GET', '/pets', { key })), [perMinute, perMinute - 1, at('2026-03-04T10:21:00Z')], plan)
  }
  const { secret: key } = await makeKey({ plan: 'enterprise', perMinute: 7, perDay: 8 })
  t.same(figures(await call('GET', '/pets', { key })), [7, 6, at('2026-03-04T10:21:00Z')], 'enterprise')
})

t.test('the headers tell of the window with less left; a spent day ends at 00:00 UTC', async (t) => {
  const { call, clock, makeKey } = await startService(t)
  const { secret: key } = await makeKey({ plan: 'enterprise', perMinute: 2, perDay: 3 })
  clock.set('2026-03-04T23:58:00Z')
  t.same(figures(await call('GET', '/pets', { key })), [2, 1, at('2026-03-04T23:59:00Z')], 'the minute is tighter')
  await call('GET', '/pets', { key })
  t.equal((await call('GET', '/pets', { key })).status, 429, 'refused by the minute, not charged to the day')
  clock.set('2026-03-04T23:59:00Z')
  t.same(figures(await call('GET', '/pets', { key })), [3, 0, at('2026-03-05T00:00:00Z')], 'the day is tighter')
  const over = await call('GET', '/pets', { key })
  t.same(
    [over.status, ...figures(over), over.headers.get('retry-after')],
    [429, 3, 0, at('2026-03-05T00:00:00Z'), '60']
  )
  clock.set('2026-03-05T00:00:00Z')
  t.equal((await call('GET', '/pets', { key })).status, 200)
})

t.test('every answer to a valid key counts, whatever its status; OPTIONS does not', async (t) => {
  const { call, makeKey } = await startService(t)
  const { secret: key } = await makeKey()
  const counted: [method: string, path: string, status: number][] = [
    ['GET', '/pets', 200],
    ['HEAD', '/pets', 200],
    ['GET', '/pets?limit=0', 400],
    ['GET', '/pets/1', 404],
    ['POST', '/pets', 400],
    ['DELETE', '/pets', 405],
    ['GET', '/nope', 404]
  ]
  for (const [index, [method, path, status]] of counted.entries()) {
    const reply = await call(method, path, { key, ...(method === 'POST' ? { body: {} } : {}) })
    t.same([reply.status, figures(reply)[1]], [status, 59 - index], `${method} ${path}`)
  }
  await call('OPTIONS', '/pets', { key })
  t.equal(figures(await call('GET', '/pets', { key }))[1], 59 - counted.length)
})

t.test('keys do not share a limit', async (t) => {
  const { call, makeKey } = await startService(t)
  const one = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1 })
  const other = await makeKey()
  await call('GET', '/pets', { key: one.secret })
  t.equal((await call('GET', '/pets', { key: one.secret })).status, 429)
  t.equal((await call('GET', '/pets', { key: other.secret })).status, 200)
})

t.test('of 200 calls at the same time exactly 60 pass', async (t) => {
  const { call, makeKey } = await startService(t)
  const { secret: key } = await makeKey()
  const replies = await Promise.all(Array.from({ length: 200 }, () => call('GET', '/pets?limit=1', { key })))
  t.equal(replies.filter(({ status }) => status === 200).length, 60)
  t.equal(replies.filter(({ status }) => status === 429).length, 140)
})

t.test(
  'calls without a valid key are counted by address, 60 a minute; a valid key from there still passes',
  async (t) => {
    const { call, clock, key } = await startService(t)
    for (let used = 1; used <= 60; used++) {
      const reply = await call('GET', used % 2 ? '/pets' : '/nope', {
        key: used % 3 ? undefined : `pet_live_${'a'.repeat(38)}`,
        headers: { 'x-forwarded-for': `203.0.113.${used}` }
      })
      t.same([reply.status, ...figures(reply)], [401, 60, 60 - used, at('2026-03-04T10:21:00Z')])
    }
    const over = await call('GET', '/pets', { key: undefined })
    t.same(
      [over.status, over.json.code, ...figures(over), over.headers.get('retry-after')],
      [429, 'rate_limited', 60, 0, at('2026-03-04T10:21:00Z'), '60']
    )
    t.equal((await call('GET', '/pets', { key })).status, 200)
    clock.advance(60_000)
    t.equal((await call('GET', '/pets', { key: undefined })).status, 401, 'the next window')
  }
)

t.test('answers outside the base path carry the figures of the address and count nothing', async (t) => {
  const { fetch, call } = await startService(t)
  await call('GET', '/pets', { key: undefined })
  for (const path of ['/nope', '/', '/pets', '/healthz', '/readyz', '/docs', '/openapi.json', '/%zz']) {
    t.same(figures(await fetch('GET', path)), [60, 59, at('2026-03-04T10:21:00Z')], path)
  }
})

t.test('after a clock that was ahead is corrected, Reset and Retry-After name the same instant', async (t) => {
  const { call, clock, makeKey } = await startService(t)
  const { secret: minute } = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 9 })
  const { secret: day } = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1 })
  for (const key of [minute, day]) await call('GET', '/pets', { key })
  clock.ahead = 86_400_000 + 22_000
  const resetIn = ({ headers }: Reply) => Number(headers.get('x-ratelimit-reset')) - clock.wall() / 1_000
  for (const [key, seconds] of [[minute, 60], [day, 49_200]] as const) {
    const refused = await call('GET', '/pets', { key })
    t.same([refused.status, refused.headers.get('retry-after'), resetIn(refused)], [429, String(seconds), seconds])
  }
  t.equal(resetIn(await call('GET', '/pets', { key: 'wrong' })), 60, 'also for an address')
  t.equal(resetIn(await call('GET', '/pets')), 49_200)
})
