import { METHODS } from 'node:http'
import t from 'tap'
import { exchange, faultOf, lackOf } from '../support/refusal.js'
import { startService, type Service } from '../support/service.js'

/** Every spelling of a path: the status without a valid key, and with one. There is one animal, with the id 1. */
const PATHS: [path: string, without: 401 | 404 | 400, status: number][] = [
  ['/v1/pets', 401, 200],
  ['/v1/pets?limit=1', 401, 200],
  ['/v1/pets/1', 401, 200],
  ['/v1/categories', 401, 200],
  ['/v1/store/orders', 401, 200],
  ['/v1/store/orders/1', 401, 405],
  ['/v1/inventory', 401, 200],
  ['/v1/inventory/1', 401, 405],
  ['/v1/%70ets', 401, 200],
  ['/v1/%70%65%74%73', 401, 200],
  ['/v%31/pets', 401, 200],
  ['/%76%31/pets', 401, 200],
  ['/v1/pets/%31', 401, 200],
  ['http://x/v1/pets', 401, 200],
  ['HTTP://other:81/v1/pets', 401, 200],
  ['http://x/v1/../v1/pets', 401, 200],
  ['http://x//v1/pets', 404, 404],
  ['/v1', 401, 404],
  ['/v1/', 401, 404],
  ['/v1?', 401, 404],
  ['/v1//', 401, 404],
  ['/v1/nothing', 401, 404],
  ['/v1/store', 401, 404],
  ['/v1/orders', 401, 404],
  ['/v1/store%2Forders', 401, 404],
  ['/v1/categories/1', 401, 404],
  ['/v1/healthz', 401, 404],
  ['/v1/docs', 401, 404],
  ['/v1/openapi.yaml', 401, 404],
  ['/v1/pets/1/', 401, 404],
  ['/v1/pets/1/x', 401, 404],
  ['/v1//pets', 401, 404],
  ['/v1/pets//', 401, 404],
  ['/v1/pets//1', 401, 404],
  ['/v1/Pets', 401, 404],
  ['/v1/PETS', 401, 404],
  ['/v1/pets;x', 401, 404],
  ['/v1/pets;x=1?limit=1', 401, 404],
  ['/v1/;x/pets', 401, 404],
  ['/v1/pets.json', 401, 404],
  ['/v1/pets%20', 401, 404],
  ['/v1/pets%00', 401, 404],
  ['/v1/pets%0a', 401, 404],
  ['/v1/pets%2F', 401, 404],
  ['/v1/pets%2f1', 401, 404],
  ['/v1/pets%3Flimit=1', 401, 404],
  ['/v1/pets%23', 401, 404],
  ['/v1/pets\\', 401, 404],
  ['/v1/\\pets', 401, 404],
  ['/v1/..', 401, 404],
  ['/v1/./pets', 401, 404],
  ['/v1/%2e/pets', 401, 404],
  ['/v1/../v1/pets', 401, 404],
  ['/v1/%2e%2e/v1/pets', 401, 404],
  ['/v1/..%2fv1/pets', 401, 404],
  ['/v1/%252e%252e/pets', 401, 404],
  ['/v1/%2570ets', 401, 404],
  ['/v1/pets/', 401, 400],
  ['/v1/pets/..', 401, 400],
  ['/v1/pets/%2e%2e', 401, 400],
  ['/v1/pets/1;x', 401, 400],
  ['/v1/pets/1%2F..', 401, 400],
  ['/v1/pets/1%00', 401, 400],
  ['/v1/pets/%2531', 401, 400],
  ['/v1/pets/:petId', 401, 400],
  ['/v1/pets/{petId}', 401, 400],
  ['/v1/pets/__proto__', 401, 400],
  ['/v1/constructor', 401, 404],
  ['/v1/__proto__', 401, 404],
  ['/nothing', 404, 404],
  ['/pets', 404, 404],
  ['//v1/pets', 404, 404],
  ['///v1/pets', 404, 404],
  ['/%2fv1/pets', 404, 404],
  ['/V1/pets', 404, 404],
  ['/v1%2Fpets', 404, 404],
  ['/v1;x/pets', 404, 404],
  ['/v1%00/pets', 404, 404],
  ['/v1.0/pets', 404, 404],
  ['/v1pets', 404, 404],
  ['/v10/pets', 404, 404],
  ['/v2/pets', 404, 404],
  ['/./v1/pets', 404, 404],
  ['/../v1/pets', 404, 404],
  ['/%2e%2e/v1/pets', 404, 404],
  ['/x/../v1/pets', 404, 404],
  ['/healthz/', 404, 404],
  ['/healthz/../v1/pets', 404, 404],
  ['/docs/../v1/pets', 404, 404],
  ['/docs/static/../../v1/pets', 404, 404],
  ['/docs/static/..%2f..%2fv1/pets', 404, 404],
  ['/docs/static/%2e%2e/%2e%2e/package.json', 404, 404],
  ['/\\v1\\pets', 404, 404],
  ['/v1/pets/%', 400, 400]
]

interface Who { title: string, authorization: string, valid: boolean }

async function callers ({ key, makeKey, repositories: { apiKeys }, clock }: Service): Promise<Who[]> {
  const revoked = await makeKey()
  await apiKeys.revoke(revoked.id, new Date(clock.now()))
  return [
    { title: 'no key', authorization: '', valid: false },
    { title: 'a bad key', authorization: `Authorization: Bearer ${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}\r\n`, valid: false },
    { title: 'a revoked key', authorization: `Authorization: Bearer ${revoked.secret}\r\n`, valid: false },
    { title: 'a valid key', authorization: `Authorization: Bearer ${key}\r\n`, valid: true }
  ]
}

const bytesOf = (method: string, target: string, headers: string) => `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`

t.test('no spelling of a path leads past the key', async (t) => {
  const service = await startService(t)
  await service.call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
  for (const { title: who, authorization, valid } of await callers(service)) {
    const exchanges = await exchange(service, PATHS.map(([path]) => [`${path} with ${who}`, bytesOf('GET', path, authorization)]))
    for (const [index, { title, reply }] of exchanges.entries()) {
      t.equal(reply.status, PATHS[index]![valid ? 2 : 1], title)
      t.equal(reply.status < 400 ? lackOf(reply) : faultOf(reply), undefined, title)
    }
  }
})

t.test('every method on every path needs a key but OPTIONS; what the path does not have is a 405 with Allow', async (t) => {
  const service = await startService(t)
  await service.call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
  const allowed: Record<string, string> = {
    '/v1/pets': 'GET, HEAD, POST, OPTIONS',
    '/v1/pets/1': 'GET, HEAD, OPTIONS',
    '/v1/categories': 'GET, HEAD, POST, OPTIONS',
    '/v1/store/orders': 'GET, HEAD, POST, OPTIONS',
    '/v1/store/orders/1': 'DELETE, OPTIONS',
    '/v1/inventory': 'GET, HEAD, OPTIONS',
    '/v1/inventory/1': 'PATCH, OPTIONS',
    '/v1/nothing': ''
  }
  /** What comes of a request without a body; there is no order. */
  const statuses: Record<string, number> = { GET: 200, HEAD: 200, POST: 400, PATCH: 400, DELETE: 404 }
  const methods = METHODS.filter((method) => method !== 'CONNECT')
  t.ok(methods.includes('PROPFIND') && methods.includes('TRACE'))
  for (const { title: who, authorization, valid } of await callers(service)) {
    for (const [path, allow] of Object.entries(allowed)) {
      for (const { title, reply } of await exchange(service, methods.map((method) => [method, bytesOf(method, path, authorization)]))) {
        const found = { status: reply.status, allow: reply.headers.allow }
        const at = `${title} ${path} with ${who}`
        if (title === 'OPTIONS') t.same(found, allow ? { status: 204, allow } : { status: 404, allow: undefined }, at)
        else if (!valid) t.same(found, { status: 401, allow: undefined }, at)
        else if (!allow) t.same(found, { status: 404, allow: undefined }, at)
        else if (allow.split(', ').includes(title)) t.same(found, { status: statuses[title], allow: undefined }, at)
        else t.same(found, { status: 405, allow }, at)
        if (title === 'HEAD') t.equal(reply.body + reply.rest, '', `${at}: no body`)
        t.equal(reply.status < 400 || title === 'HEAD' ? lackOf(reply) : faultOf(reply), undefined, at)
      }
    }
  }
})
