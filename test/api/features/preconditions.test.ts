import t from 'tap'
import { operationsOf } from '../../../src/contract/operation/operation.js'
import { startMock } from '../../support/mock.js'
import { document, startService, type Service } from '../../support/service.js'

const rex = { name: 'Rex', categoryId: 7 }
const FALSE_OF_WRITES = [
  { 'if-match': '"zzz"' },
  { 'if-match': 'W/"zzz", "x"' },
  { 'if-match': 'zzz' },
  { 'if-match': '' },
  { 'if-match': '"*"' },
  { 'if-none-match': '*' },
  { 'if-none-match': ' * ' },
  { 'if-none-match': '*, *' },
  { 'if-match': '*', 'if-none-match': '*' }
]
const TRUE_OF_WRITES = [{ 'if-match': '*' }, { 'if-none-match': '"zzz"' }, { 'if-match': ' * ', 'if-none-match': 'W/"x", "y"' }]
/** Headers that a resource without a modification date, or without ranges, must or may ignore. */
const IGNORED = {
  'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT',
  'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT',
  'if-range': '"zzz"',
  range: 'bytes=0-1'
}

/** Each operation that changes something, on a pet of which there are two and that one order has taken. */
const WRITES: [method: string, path: string, body: object | undefined, status: number][] = [
  ['POST', '/pets', rex, 201],
  ['POST', '/categories', { name: 'Dogs' }, 201],
  ['POST', '/store/orders', { petId: 1 }, 201],
  ['PATCH', '/inventory/1', { quantity: 5 }, 200],
  ['DELETE', '/store/orders/1', undefined, 204]
]

async function stock ({ call }: Service): Promise<void> {
  await call('POST', '/pets', { body: rex })
  await call('PATCH', '/inventory/1', { body: { quantity: 3 } })
  await call('POST', '/store/orders', { body: { petId: 1 } })
}

const LISTS = ['/pets', '/categories', '/store/orders', '/inventory']
const contents = ({ call }: Service) => Promise.all(LISTS.map(async (path) => (await call('GET', path)).text))

t.test('every operation of the document declares the 412', async (t) => {
  for (const { operationId, responses } of operationsOf(document)) t.ok(responses.get('412'), operationId)
})

t.test('a read answers 412 unless If-Match names its ETag, which is compared strongly', async (t) => {
  const service = await startService(t)
  await stock(service)
  for (const path of [...LISTS, '/pets/1', '/pets?limit=1']) {
    for (const method of ['GET', 'HEAD']) {
      const read = (headers: Record<string, string>) => service.call(method, path, { headers })
      const tag = (await read({})).headers.get('etag')!
      for (const match of [tag, `"x", ${tag}`, `${tag},"x"`, '*', ' * ']) {
        t.equal((await read({ 'if-match': match })).status, 200, `${method} ${path}: ${match}`)
      }
      for (const match of [`W/${tag}`, `w/${tag}`, '"zzz"', tag.slice(1, -1), `"${tag}`, '', '*, "x"', '"*"']) {
        const { status, json, headers } = await read({ 'if-match': match })
        t.equal(status, 412, `${method} ${path}: ${match}`)
        if (method === 'GET') t.equal(json.code, 'precondition_failed')
        t.equal(headers.get('etag'), null)
      }
      t.equal((await read({ 'if-match': tag, 'if-none-match': tag })).status, 304, 'the first, then the second')
      t.equal((await read({ 'if-match': '"zzz"', 'if-none-match': tag })).status, 412)
      t.equal((await read(IGNORED)).status, 200)
    }
  }
})

t.test('a write whose precondition is false is a 412 and changes nothing', async (t) => {
  const service = await startService(t)
  await stock(service)
  const before = await contents(service)
  for (const [method, path, body] of WRITES) {
    for (const headers of FALSE_OF_WRITES) {
      const { status, json } = await service.call(method, path, { body, headers })
      t.same([status, json.code], [412, 'precondition_failed'], `${method} ${path}: ${JSON.stringify(headers)}`)
    }
  }
  t.same(await contents(service), before)
})

t.test('a write whose preconditions are true, or must be ignored, is done', async (t) => {
  for (const headers of [...TRUE_OF_WRITES, IGNORED]) {
    const service = await startService(t)
    await stock(service)
    for (const [method, path, body, wanted] of WRITES) {
      const { status } = await service.call(method, path, { body, headers })
      t.equal(status, wanted, `${method} ${path}: ${JSON.stringify(headers)}`)
    }
  }
})

t.test('preconditions are ignored where the answer without them would be another refusal', async (t) => {
  const service = await startService(t)
  await stock(service)
  const completed = (await service.call('POST', '/store/orders', { body: { petId: 1 } })).json.id
  await service.repositories.orders.complete(completed)
  const { secret: reader } = await service.makeKey({ scopes: ['pets:read'] })
  for (const headers of FALSE_OF_WRITES) {
    const statusOf = async (method: string, path: string, more = {}) =>
      (await service.call(method, path, { headers, ...more })).status
    t.equal(await statusOf('PATCH', '/inventory/99', { body: { quantity: 5 } }), 404)
    t.equal(await statusOf('DELETE', '/store/orders/99'), 404)
    t.equal(await statusOf('DELETE', `/store/orders/${completed}`), 409)
    t.equal(await statusOf('GET', '/pets/99'), 404)
    t.equal(await statusOf('POST', '/pets', { body: {} }), 400)
    t.equal(await statusOf('PATCH', '/inventory/1', { body: { quantity: -1 } }), 400)
    t.equal(await statusOf('GET', '/pets?limit=0'), 400)
    t.equal(await statusOf('POST', '/pets', { body: rex, key: 'none' }), 401)
    t.equal(await statusOf('POST', '/pets', { body: rex, key: reader }), 403)
    t.equal(await statusOf('PUT', '/pets'), 405)
    t.equal(await statusOf('OPTIONS', '/pets'), 204)
    service.clock.advance(60_000)
  }
})

t.test('a repetition gets the answer to the first request, and a 412 leaves its Idempotency-Key unused', async (t) => {
  const service = await startService(t)
  const post = (headers: Record<string, string>) =>
    service.call('POST', '/pets', { body: rex, headers: { 'idempotency-key': 'a', ...headers } })
  t.equal((await post({ 'if-none-match': '*' })).status, 412)
  const first = await post({ 'if-match': '*' })
  t.same([first.status, first.headers.get('idempotent-replayed')], [201, null])
  for (const headers of [{ 'if-match': '*' }, { 'if-none-match': '*' }, {}]) {
    const again = await post(headers)
    t.same([again.status, again.text, again.headers.get('idempotent-replayed')], [201, first.text, 'true'])
  }
  t.equal((await service.call('GET', '/pets')).json.length, 1)
})

t.test('the mock evaluates preconditions like the service', async (t) => {
  const { fetch } = await startMock(t)
  const call = async (method: string, path: string, headers: Record<string, string>, body?: object) =>
    (await fetch(method, `/v1${path}`, { headers, body })).status
  for (const [method, path, body, wanted] of WRITES) {
    for (const headers of FALSE_OF_WRITES) t.equal(await call(method, path, headers, body), 412, path)
    for (const headers of TRUE_OF_WRITES) t.equal(await call(method, path, headers, body), wanted, path)
    t.equal(await call(method, path, { 'if-match': '"zzz"', prefer: 'code=401' }, body), 401, 'a chosen answer')
  }
  t.equal(await call('GET', '/pets', { 'if-match': '"zzz"' }), 412)
  t.equal(await call('GET', '/pets', { 'if-none-match': '*' }), 304)
  t.equal(await call('GET', '/pets', { prefer: 'code=412' }), 412)
})
