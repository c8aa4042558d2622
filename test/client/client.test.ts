import { deprecationOf, faultsOf, limitsOf } from 'petstore/types/client'
import t from 'tap'
import { startMock } from '../support/mock.js'
import { startService } from '../support/service.js'
import { watched } from './calls.js'

t.test('the key is sent, and may be a function that is asked at each call', async (t) => {
  const { root, key } = await startService(t)
  const { client } = watched(root, { key })
  t.equal((await client.GET('/pets')).response.status, 200)

  const keys: string[] = []
  const other = watched(root, { key: () => keys[0] })
  t.equal((await other.client.GET('/pets')).error?.code, 'unauthorized')
  t.equal(other.sent[0]!.headers.get('Authorization'), null)
  keys.push(key)
  t.equal((await other.client.GET('/pets')).response.status, 200)
})

t.test('the key may come later, and is asked for at each call', async (t) => {
  const { root, makeKey } = await startService(t)
  const secrets = await Promise.all([makeKey(), makeKey()]).then((keys) => keys.map(({ secret }) => secret))
  let calls = 0
  const { client, sent } = watched(root, { key: async () => secrets[calls++] })
  for (let count = 0; count < 2; count++) t.equal((await client.GET('/pets')).response.status, 200)
  t.same(sent.map(({ headers }) => headers.get('Authorization')), secrets.map((secret) => `Bearer ${secret}`))
  t.equal((await client.GET('/pets')).error?.code, 'unauthorized', 'it may be undefined')
  t.equal((await client.GET('/pets', { headers: { Authorization: `Bearer ${secrets[0]}` } })).response.status, 200)
  t.equal(calls, 3, 'a call with an Authorization of its own needs none')
  const empty = watched(root, { key: () => null })
  t.equal((await empty.client.GET('/pets')).error?.code, 'unauthorized', 'it may be null, as in a storage of the browser')
  t.equal(empty.sent[0]!.headers.get('Authorization'), null)
})

t.test('a key that does not come rejects the call, which sends nothing', async (t) => {
  const { root } = await startMock(t)
  const reason = new Error('The token store does not respond.')
  const keys = [() => Promise.reject(reason), () => { throw reason }, async () => { throw reason }]
  for (const key of keys) {
    const { client, sent } = watched(root, { key })
    await t.rejects(client.GET('/pets'), reason)
    t.equal(sent.length, 0)
  }
  const { client, sent } = watched(root, { key: () => new Promise(() => {}) })
  await t.rejects(client.GET('/pets', { signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' })
  await t.rejects(client.GET('/pets', { signal: AbortSignal.abort() }), { name: 'AbortError' })
  t.equal(sent.length, 0)
})

t.test('a key that no header can carry is told where it is given, without repeating it', async (t) => {
  const { root } = await startMock(t)
  const message = 'The API key has a character that no header can carry, such as a line break or one beyond Latin-1.'
  for (const key of ['ключ', 'pet_live_a\nb', 'pet_live_a\u0000']) {
    t.throws(() => watched(root, { key }), new TypeError(message))
    for (const given of [() => key, async () => key]) {
      const { client, sent } = watched(root, { key: given })
      await t.rejects(client.GET('/pets'), new TypeError(message))
      t.equal(sent.length, 0)
    }
  }
  const { client } = watched(root, { key: 'read-from-a-file\n' })
  t.equal((await client.GET('/pets')).response.status, 200)
})

t.test('an error lists what is wrong, whatever else the caller prefers', async (t) => {
  const { root, key } = await startService(t)
  const { client } = watched(root, { key })
  const wrong = { body: { name: '', categoryId: 7 } }
  for (const headers of [undefined, { Prefer: 'return=minimal' }]) {
    const { error } = await client.POST('/pets', { ...wrong, ...(headers && { headers }) })
    t.match(error?.errors, [{ in: 'body', pointer: '/name', message: 'must have at least 1 character' }])
  }
})

t.test('what is undefined is not sent, in a query or a body', async (t) => {
  const { root, key } = await startService(t)
  const { client } = watched(root, { key })
  const { data } = await client.POST('/pets', { body: { name: 'Rex', categoryId: 7, status: undefined } })
  t.same(data, { id: 1, name: 'Rex', categoryId: 7 })
  t.same((await client.GET('/pets', { params: { query: { status: undefined, cursor: undefined } } })).data, [data])
})

t.test('faultsOf tells what is wrong with each field, by its name, and is empty where nothing is', async (t) => {
  const { root, key } = await startService(t)
  const { client } = watched(root, { key })
  const wrong = await client.POST('/pets', { body: { name: '', categoryId: 1.5 } })
  t.same(faultsOf(wrong.error), { name: 'must have at least 1 character', categoryId: 'must be an integer' })
  t.same(Object.keys(faultsOf((await client.GET('/pets', { params: { query: { limit: 0 } } })).error)), ['limit'])
  t.same(faultsOf((await client.GET('/pets/{petId}', { params: { path: { petId: 1 } } })).error), {})
  t.same(faultsOf((await client.GET('/pets')).error), {})
  const nested = { errors: [{ pointer: '/owner/home~1work~0', message: 'is required' }] }
  t.same(faultsOf(nested), { 'owner/home/work~': 'is required' })
})

t.test('limitsOf tells the limit, what remains of it and when it is free again, and each window', async (t) => {
  const { root, makeKey, clock } = await startService(t)
  const { secret: key } = await makeKey({ plan: 'free' })
  const { response } = await watched(root, { key }).client.GET('/pets')
  const limits = limitsOf(response)!
  const minute = Math.ceil(clock.now() / 60_000) * 60_000
  t.match(limits, { limit: 60, remaining: 59, reset: new Date(minute) })
  t.match(limits.windows, [
    { name: 'minute', limit: 60, remaining: 59, seconds: 60 },
    { name: 'day', limit: 1_000, remaining: 999, seconds: 86_400 }
  ])
  const [first, second] = limits.windows.map(({ reset }) => reset.getTime() - Date.now())
  t.ok(first! <= 60_000 && second! <= 86_400_000 && first! <= second!)
  t.equal(limitsOf(new Response()), undefined)
})

t.test('deprecationOf tells since when, until when, and what to call instead', async (t) => {
  const { root, key } = await startService(t)
  const { client } = watched(root, { key })
  const { response } = await client.GET('/pets/{petId}', { params: { path: { petId: 1 } } })
  t.same(deprecationOf(response), {
    since: new Date('2025-12-05T00:00:00Z'),
    sunset: new Date('2030-12-05T00:00:00Z'),
    successor: `${root}/v1/pets`,
    notice: `${root}/deprecations#getPet`
  })
  t.equal(deprecationOf((await client.GET('/pets')).response), undefined)
})

t.test('a deprecated operation is warned of once, but not in production', async (t) => {
  const { root } = await startMock(t)
  const warned = t.capture(console, 'warn')
  const before = process.env.NODE_ENV
  t.teardown(() => { if (before === undefined) delete process.env.NODE_ENV; else process.env.NODE_ENV = before })
  for (const [environment, count] of [['production', 0], ['development', 1]] as const) {
    process.env.NODE_ENV = environment
    const { client } = watched(root)
    for (let call = 0; call < 2; call++) await client.GET('/pets/{petId}', { params: { path: { petId: 1 } } })
    await client.GET('/pets')
    const lines = warned().map(({ args }) => args[0])
    t.equal(lines.length, count, environment)
    const sentence = `GET /pets/{petId} is deprecated and is to be removed on 2030-12-05. See ${root}/deprecations#getPet`
    if (count === 1) t.equal(lines[0], sentence)
  }
})
