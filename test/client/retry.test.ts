import type { Wait } from 'petstore/types/client'
import t from 'tap'
import { startAnswering } from '../support/answering.js'
import { startMock } from '../support/mock.js'
import { startService, type Service } from '../support/service.js'
import { watched } from './calls.js'

/** A key with one request a minute, which is spent, in a minute that ends in a second. */
async function spent (service: Service): Promise<string> {
  const { secret } = await service.makeKey({ plan: 'enterprise', perMinute: 1, perDay: 100 })
  service.clock.advance(60_000 - (service.clock.now() % 60_000) - 500)
  await service.call('GET', '/pets', { key: secret })
  return secret
}

t.test('after a 429 a call waits as long as Retry-After says, and is sent again', async (t) => {
  const service = await startService(t)
  const key = await spent(service)
  const waits: Wait[] = []
  const { client, sent } = watched(service.root, {
    key,
    retry: {
      onWait: (wait) => {
        waits.push(wait)
        service.clock.advance(1_000)
      }
    }
  })
  const { data, response } = await client.GET('/pets')
  t.equal(response.status, 200)
  t.same(data, [])
  t.equal(sent.length, 2)
  t.equal(waits.length, 1)
  t.equal(waits[0]!.response!.status, 429)
  t.equal(waits[0]!.response!.headers.get('Retry-After'), '1')
  t.ok(waits[0]!.delay >= 1_000 && waits[0]!.delay <= 2_000, 'as it says, and a random time more')
})

t.test('while the limit is spent, further calls with that key wait without being sent, and others do not', async (t) => {
  const service = await startService(t)
  const { secret } = await service.makeKey({ plan: 'enterprise', perMinute: 3, perDay: 100 })
  service.clock.advance(60_000 - (service.clock.now() % 60_000) - 500)
  for (let count = 0; count < 3; count++) await service.call('GET', '/pets', { key: secret })
  let key = secret
  const waits: Wait[] = []
  let tell = () => {}
  const refused = new Promise<void>((resolve) => { tell = resolve })
  const { client, sent } = watched(service.root, {
    key: () => key,
    retry: {
      onWait: (wait) => {
        waits.push(wait)
        tell()
      }
    }
  })
  const first = client.GET('/pets')
  await refused
  const further = [client.GET('/pets'), client.GET('/categories')]
  await Promise.race([...further, new Promise((resolve) => setTimeout(resolve, 100))])
  t.equal(sent.length, 1)
  t.same(waits.map(({ response }) => response?.status), [429, 429, 429])
  key = service.key
  t.equal((await client.GET('/pets')).response.status, 200)
  t.equal(sent.length, 2, 'another key has a limit of its own')
  service.clock.advance(1_000)
  for (const { response } of await Promise.all([first, ...further])) t.equal(response.status, 200)
  t.equal(sent.length, 5)
})

t.test('a POST is sent again with the same body and the same Idempotency-Key', async (t) => {
  const service = await startService(t)
  const key = await spent(service)
  const { client, sent } = watched(service.root, { key, retry: { onWait: () => service.clock.advance(1_000) } })
  const { data } = await client.POST('/pets', { body: { name: 'Rex', categoryId: 7 } })
  t.match(data, { name: 'Rex', categoryId: 7 })
  const keys = sent.map(({ headers }) => headers.get('Idempotency-Key'))
  t.equal(keys.length, 2)
  t.match(keys[0], /^[\da-f]{32}$/)
  t.equal(keys[1], keys[0])
  t.equal((await service.call('GET', '/pets')).json.length, 1)
})

t.test('each POST has an Idempotency-Key of its own, unless the caller gives one; no other call has one', async (t) => {
  const { root, key } = await startService(t)
  const { client, sent } = watched(root, { key })
  const body = { name: 'Rex', categoryId: 7 }
  for (let count = 0; count < 2; count++) await client.POST('/pets', { body })
  await client.POST('/pets', { body, params: { header: { 'Idempotency-Key': 'mine' } } })
  await client.GET('/pets')
  const [first, second, third, fourth] = sent.map(({ headers }) => headers.get('Idempotency-Key'))
  t.ok(first && second && first !== second)
  t.equal(third, 'mine')
  t.equal(fourth, null)
})

t.test('a 503 is tried again as often as the caller wants', async (t) => {
  const { root, key } = await startAnswering['503']!(t)
  for (const attempts of [1, 2]) {
    const { client, sent } = watched(root, { key, retry: { attempts } })
    t.equal((await client.GET('/pets')).response.status, 503)
    t.equal(sent.length, attempts)
  }
})

t.test('a call that a repetition could do twice is not sent again after a 503', async (t) => {
  const { root, key } = await startAnswering['503']!(t)
  const { client, sent } = watched(root, { key, retry: { attempts: 2 } })
  await client.PATCH('/inventory/{petId}', { params: { path: { petId: 1 } }, body: { quantity: 1 } })
  t.equal(sent.length, 1, 'a PATCH')
  await client.DELETE('/store/orders/{orderId}', { params: { path: { orderId: 1 } } })
  t.equal(sent.length, 3, 'a DELETE does nothing more the second time')
})

t.test('after a 429 nothing was done, so that a PATCH is sent again', async (t) => {
  const service = await startService(t)
  const key = await spent(service)
  const { client, sent } = watched(service.root, { key, retry: { onWait: () => service.clock.advance(1_000) } })
  await client.PATCH('/inventory/{petId}', { params: { path: { petId: 1 } }, body: { quantity: 1 } })
  t.equal(sent.length, 2)
})

t.test('an answer that asks for a longer wait than the caller allows is given at once', async (t) => {
  const service = await startService(t)
  const { secret: key } = await service.makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1 })
  const { client, sent } = watched(service.root, { key })
  await client.GET('/pets')
  const { error, response } = await client.GET('/pets')
  t.equal(error?.code, 'rate_limited')
  t.ok(Number(response.headers.get('Retry-After')) > 60, 'the day is spent')
  t.equal(sent.length, 2)
  const short = watched(service.root, { key: await spent(service), retry: { maxDelay: 999 } })
  t.equal((await short.client.GET('/pets')).response.status, 429)
  t.equal(short.sent.length, 1)
})

t.test('nothing is tried again without retry, nor after any other answer', async (t) => {
  const service = await startService(t)
  const once = watched(service.root, { key: await spent(service), retry: false })
  t.equal((await once.client.GET('/pets')).error?.code, 'rate_limited')
  t.equal(once.sent.length, 1)
  const { client, sent } = watched(service.root, { key: service.key })
  t.equal((await client.GET('/pets/{petId}', { params: { path: { petId: 1 } } })).error?.code, 'not_found')
  t.equal(sent.length, 1)
})

t.test('onWait is told until when each call waits, and when its wait is over or given up', async (t) => {
  const { root, key } = await startAnswering['503']!(t)
  const waiting = new Set<Wait>()
  let most = 0
  let end = () => {}
  const all = new Promise<void>((resolve) => { end = resolve })
  const { client, sent } = watched(root, {
    key,
    retry: {
      attempts: 2,
      onWait: (wait) => {
        waiting.add(wait)
        most = Math.max(most, waiting.size)
        const left = wait.until.getTime() - Date.now()
        t.ok(left > wait.delay - 1_000 && left <= wait.delay, `${left} of ${wait.delay} ms`)
        if (waiting.size === 2) end()
        wait.ended.then(() => waiting.delete(wait))
      }
    }
  })
  const controller = new AbortController()
  const patient = client.GET('/pets')
  const given = t.rejects(client.GET('/pets', { signal: controller.signal }), { name: 'AbortError' })
  await all
  controller.abort()
  await given
  t.equal(waiting.size, 1)
  t.equal((await patient).response.status, 503)
  t.equal(waiting.size, 0)
  t.equal(most, 2)
  t.equal(sent.length, 3)
})

t.test('a caller that gives up while it waits is told so at once', async (t) => {
  const { root } = await startMock(t)
  for (const when of ['before', 'during'] as const) {
    const controller = new AbortController()
    const { client, sent } = watched(root, { retry: { onWait: () => { if (when === 'before') controller.abort() } } })
    const headers = { Prefer: 'code=503' }
    const call = client.GET('/pets', { headers, signal: controller.signal })
    if (when === 'during') setTimeout(() => controller.abort(), 200)
    await t.rejects(call, { name: 'AbortError' }, when)
    t.equal(sent.length, 1)
  }
})
