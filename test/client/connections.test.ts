import type { Wait } from 'petstore/types/client'
import t from 'tap'
import { startLine } from '../support/line.js'
import { startService } from '../support/service.js'
import { startOther, watched } from './calls.js'

/** Waits between attempts are as short as they can be. */
const AT_ONCE = { maxDelay: 0 }
const ORDER = { params: { path: { orderId: 1 } } }
const STOCK = { params: { path: { petId: 1 } }, body: { quantity: 1 } }

t.test('a POST whose response is lost is sent again with its Idempotency-Key, and is done once', async (t) => {
  const service = await startService(t)
  const line = await startLine(t, service.root)
  const waits: Wait[] = []
  const onWait = (wait: Wait) => {
    waits.push(wait)
    line.mend()
  }
  const { client, sent } = watched(new URL(line.url).origin, { key: service.key, retry: { onWait } })
  line.breakAfter('categoryId')
  const { data, response } = await client.POST('/pets', { body: { name: 'Rex', categoryId: 7 } })
  t.same(data, { id: 1, name: 'Rex', categoryId: 7 })
  t.equal(response.headers.get('Idempotent-Replayed'), 'true')
  t.equal((await service.call('GET', '/pets')).json.length, 1)
  const [first, second, ...more] = sent.map(({ headers }) => headers.get('Idempotency-Key'))
  t.match(first, /^[\da-f]{32}$/)
  t.same([second, more], [first, []])
  t.same(waits.map(({ response }) => response), [undefined])
})

t.test('a response that breaks off in its body is a lost one', async (t) => {
  const keys: unknown[] = []
  const root = await startOther(t, (request, response) => {
    keys.push(request.headers['idempotency-key'])
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 2 })
    if (keys.length % 2 === 0) response.end('[]')
    else response.write('[', () => setTimeout(() => request.socket.destroy(), 10))
  })
  const { client } = watched(root, { retry: AT_ONCE })
  t.same((await client.GET('/pets')).data, [])
  t.same((await client.POST('/pets', { body: { name: 'Rex', categoryId: 7 } })).data, [])
  t.equal(keys.length, 4)
  t.equal(keys[3], keys[2])
})

t.test('while a POST is still being answered, another with its Idempotency-Key waits and gets the same', async (t) => {
  let release = () => {}
  const released = new Promise<void>((resolve) => { release = resolve })
  const service = await startService(t, {
    wrap: (repositories) => ({
      ...repositories,
      idempotency: {
        ...repositories.idempotency,
        once: async (...args) => {
          await released
          return await repositories.idempotency.once(...args)
        }
      }
    })
  })
  const waits: number[] = []
  const onWait = ({ response }: Wait) => {
    waits.push(response!.status)
    release()
  }
  const { client } = watched(service.root, { key: service.key, retry: { onWait } })
  const params = { header: { 'Idempotency-Key': 'mine' } }
  const add = () => client.POST('/pets', { params, body: { name: 'Rex', categoryId: 7 } })
  const [one, other] = await Promise.all([add(), add()])
  t.same(one.data, { id: 1, name: 'Rex', categoryId: 7 })
  t.same(other.data, one.data)
  t.same(waits, [409])
})

t.test('a broken connection is tried as often as the caller wants, where a repetition does nothing twice', async (t) => {
  const root = await startOther(t, (request) => request.socket.destroy())
  const attemptsOf = async (retry: Parameters<typeof watched>[1], call: (client: any) => Promise<unknown>) => {
    const { client, sent } = watched(root, retry)
    await t.rejects(call(client), { name: 'TypeError', message: 'fetch failed' })
    return sent.length
  }
  const retry = { ...AT_ONCE, attempts: 3 }
  t.equal(await attemptsOf({ retry }, (client) => client.GET('/pets')), 3, 'GET')
  t.equal(await attemptsOf({ retry }, (client) => client.HEAD('/pets')), 3, 'HEAD')
  t.equal(await attemptsOf({ retry }, (client) => client.DELETE('/store/orders/{orderId}', ORDER)), 3, 'DELETE')
  t.equal(await attemptsOf({ retry }, (client) => client.POST('/pets', { body: {} })), 3, 'POST with a key')
  t.equal(await attemptsOf({ retry }, (client) => client.POST('/other', { body: {} })), 1, 'POST without a key')
  t.equal(await attemptsOf({ retry }, (client) => client.PATCH('/inventory/{petId}', STOCK)), 1, 'PATCH')
  t.equal(await attemptsOf({ retry: AT_ONCE }, (client) => client.GET('/pets')), 4, 'unless told otherwise')
  t.equal(await attemptsOf({ retry: false }, (client) => client.GET('/pets')), 1, 'without retry')
})

t.test('nothing is sent again after an abort, nor after an error that no network has made', async (t) => {
  let arrived = () => {}
  const root = await startOther(t, () => arrived())
  const { client, sent } = watched(root, { retry: AT_ONCE })
  await t.rejects(client.GET('/pets', { signal: AbortSignal.timeout(100) }), { name: 'TimeoutError' })
  t.equal(sent.length, 1, 'a timeout')
  for (const reason of [undefined, new TypeError('changed my mind'), 'no error']) {
    const controller = new AbortController()
    arrived = () => controller.abort(reason)
    const thrown = await client.GET('/pets', { signal: controller.signal }).catch((thrown: unknown) => thrown)
    t.equal(thrown, controller.signal.reason)
  }
  t.equal(sent.length, 4)

  let calls = 0
  const ownFetch = (request: Request) => {
    calls++
    return fetch(request, { signal: AbortSignal.timeout(100) })
  }
  const own = watched(root, { retry: AT_ONCE, fetch: ownFetch })
  await t.rejects(own.client.GET('/pets'), { name: 'TimeoutError' }, 'a timeout of its own fetch')
  t.equal(calls, 1)
})

t.test('a caller that gives up between two attempts is told so at once', async (t) => {
  const root = await startOther(t, (request) => request.socket.destroy())
  const controller = new AbortController()
  const { client, sent } = watched(root, { retry: { onWait: () => controller.abort() } })
  await t.rejects(client.GET('/pets', { signal: controller.signal }), { name: 'AbortError' })
  t.equal(sent.length, 1)
})

t.test('the body of a request is sent again whole, also that of a stream', async (t) => {
  const bodies: string[] = []
  const root = await startOther(t, async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    bodies.push(text)
    if (bodies.length === 1) request.socket.destroy()
    else response.writeHead(201, { 'Content-Type': 'application/json' }).end('{}')
  })
  const { client } = watched(root, { retry: AT_ONCE })
  const body = new Blob(['{"name":"Rex",', '"categoryId":7}']).stream()
  const stream = { body, bodySerializer: (body: unknown) => body, duplex: 'half' }
  await client.POST('/pets', stream as never)
  t.same(bodies, Array(2).fill('{"name":"Rex","categoryId":7}'))
})
