import { deprecationOf, limitsOf, type Wait } from 'petstore/types/client'
import t from 'tap'
import { PLANS } from '../../src/domain/plans.js'
import { startMock } from '../support/mock.js'
import { startService } from '../support/service.js'
import { watched } from './calls.js'

/** The first number of calls that would be answered with a ban: the tenth refusal in a minute brings one. */
const TOO_MANY = 12

t.test('while a wait is left that is too long, or none is wanted, no further call with that key is sent', async (t) => {
  const service = await startService(t)
  const { secret: day } = await service.makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1 })
  const { secret: minute } = await service.makeKey({ plan: 'enterprise', perMinute: 1, perDay: 100 })
  for (const [key, retry] of [[day, {}], [minute, { attempts: 1 }], [minute, { maxDelay: 0 }]] as const) {
    await service.call('GET', '/pets', { key })
    const { client, sent } = watched(service.root, { key, retry })
    for (let count = 0; count < TOO_MANY; count++) {
      const { error, response } = await client.GET('/pets')
      t.match(error, { code: 'rate_limited', status: 429 })
      t.equal(response.status, 429)
      t.match(limitsOf(response), { remaining: 0, windows: [{ name: 'minute' }, { name: 'day' }] })
    }
    t.equal(sent.length, 1)
  }
})

t.test('an answer that is given again tells how long the wait is now, and nothing of another operation', async (t) => {
  const { root, makeKey, call } = await startService(t)
  const { secret: key } = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1 })
  await call('GET', '/pets', { key })
  const { client, sent } = watched(root, { key, retry: {} })
  const { response: first } = await client.GET('/pets/{petId}', { params: { path: { petId: 1 } } })
  t.ok(deprecationOf(first))
  later(t, 10_000)
  const { response: second } = await client.GET('/pets')
  t.equal(sent.length, 1)
  t.equal(deprecationOf(second), undefined)
  const [before, now] = [first, second].map(({ headers }) => Number(headers.get('Retry-After')))
  t.ok(before! - now! === 10 || before! - now! === 9, `${before} s, then ${now} s`)
  t.same(limitsOf(second)!.reset, limitsOf(first)!.reset)
  const [minute] = limitsOf(second)!.windows
  t.ok(minute!.reset.getTime() <= limitsOf(first)!.windows[0]!.reset.getTime() + 1_000)
})

t.test('one call a minute is sent all the same, so that a new plan or the end of a ban is noticed', async (t) => {
  const { root, makeKey, call, repositories } = await startService(t)
  const { id, secret: key } = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1 })
  await call('GET', '/pets', { key })
  const { client, sent } = watched(root, { key })
  const statusOf = async () => (await client.GET('/pets')).response.status
  const callAll = () => Promise.all(Array.from({ length: TOO_MANY }, statusOf))
  await client.GET('/pets')
  later(t, 61_000)
  t.same(new Set(await callAll()), new Set([429]))
  t.equal(sent.length, 2)

  await repositories.apiKeys.change(id, { plan: 'pro', quota: PLANS.pro })
  later(t, 122_000)
  const statuses = await callAll()
  t.equal(statuses.filter((status) => status === 200).length, 1)
  t.same(new Set(await callAll()), new Set([200]))
})

t.test('what is not sent is refused as if it were: other keys go on, a signal ends the call, onWait is told', async (t) => {
  const service = await startService(t)
  const { secret } = await service.makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1 })
  await service.call('GET', '/pets', { key: secret })
  let key = secret
  const waits: Wait[] = []
  const { client, sent } = watched(service.root, { key: () => key, retry: { onWait: (wait) => waits.push(wait) } })
  await client.GET('/pets')
  await t.rejects(client.GET('/pets', { signal: AbortSignal.abort() }), { name: 'AbortError' })
  key = service.key
  t.equal((await client.GET('/pets')).response.status, 200)
  key = secret
  t.equal((await client.GET('/pets')).response.status, 429)
  t.equal(sent.length, 2)
  t.same(waits, [], 'there was no wait')
})

t.test('a 429 that a caller of the mock chooses holds no other call back', async (t) => {
  const { root } = await startMock(t)
  for (const Prefer of ['code=429', 'example=keyBanned', 'Code = "429"']) {
    const { client, sent } = watched(root, { retry: { attempts: 1 } })
    const headers = { Prefer }
    const statuses = []
    for (const init of [{ headers }, {}, { headers }, { headers: { Prefer: 'code=200' } }]) {
      statuses.push((await client.GET('/pets', init)).response.status)
    }
    t.same(statuses, [429, 200, 429, 200], Prefer)
    t.equal(sent.length, 4)
  }
})

/** Has the client believe that it is so many milliseconds later than it is, until the test ends. */
function later (t: { teardown(handler: () => void): unknown }, milliseconds: number): void {
  Date.now = () => now() + milliseconds
  t.teardown(() => { Date.now = now })
}

const now = Date.now
