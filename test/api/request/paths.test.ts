import { METHODS } from 'node:http'
import t from 'tap'
import { exchange, faultOf, missingHeader } from '../../../scripts/http/refusal.js'
import { startService, type Service } from '../../support/service.js'

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
  ['http://x/v1/../v1/pets', 401, 404],
  ['http://x//v1/pets', 404, 404],
  ['/v1', 401, 404],
  ['/v1/', 401, 404],
  ['/v1?', 401, 404],
  ['/v1//', 401, 404],
  ['/v1/nothing', 401, 404],
  ['/v1/store', 401, 404],
  ['/v1/orders', 401, 404],
  ['/v1/store%2Forders', 401, 404],
  ['/v1/categories/1/nothing', 401, 404],
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
  ['/v1/pets/', 401, 404],
  ['/v1/pets/?x=1', 401, 404],
  ['/v1/store/orders/', 401, 404],
  ['/v1/inventory/', 401, 404],
  ['/v1/pets/..', 401, 400],
  ['/v1/pets/%2e%2e', 401, 400],
  ['/v1/pets/1;x', 401, 400],
  ['/v1/pets/1%2F..', 401, 400],
  ['/v1/pets/1%00', 401, 400],
  ['/v1/pets/%2531', 401, 400],
  ['/v1/pets/:petId', 401, 400],
  ['/v1/pets/{petId}', 401, 400],
  ['/v1/*', 401, 404],
  ['/v1/*/pets', 401, 404],
  ['/v1/pets/*', 401, 400],
  ['/v1/:x', 401, 404],
  ['/*', 404, 404],
  ['/*1/pets', 404, 404],
  ['/docs/static/*', 404, 404],
  ['/:x', 404, 404],
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

/** `refused`: the status of every path under the base path. */
interface Who {
  title: string
  authorization: string
  refused?: 401 | 429
}

async function callers ({ key, call, makeKey, repositories: { apiKeys }, clock }: Service): Promise<Who[]> {
  const revoked = await makeKey()
  await apiKeys.revoke(revoked.id, new Date(clock.now()))
  const spent = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1 })
  await call('GET', '/pets', { key: spent.secret })
  return [
    { title: 'no key', authorization: '', refused: 401 },
    {
      title: 'a bad key',
      authorization: `Authorization: Bearer ${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}\r\n`,
      refused: 401
    },
    { title: 'a revoked key', authorization: `Authorization: Bearer ${revoked.secret}\r\n`, refused: 401 },
    { title: 'a key over its limit', authorization: `Authorization: Bearer ${spent.secret}\r\n`, refused: 429 },
    { title: 'a valid key', authorization: `Authorization: Bearer ${key}\r\n` }
  ]
}

const bytesOf = (method: string, target: string, headers: string) =>
  `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`

t.test('no spelling of a path leads past the key', async (t) => {
  const service = await startService(t)
  await service.call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
  for (const { title: who, authorization, refused } of await callers(service)) {
    const exchanges = await exchange(
      service,
      PATHS.map(([path]) => [`${path} with ${who}`, bytesOf('GET', path, authorization)])
    )
    for (const [index, { title, reply }] of exchanges.entries()) {
      const [, without, status] = PATHS[index]!
      t.equal(reply.status, !refused ? status : without === 401 ? refused : without, title)
      t.equal(reply.status < 400 ? missingHeader(reply) : faultOf(reply), undefined, title)
    }
  }
})

/**
 * Whether a status may answer a method other than GET; OPTIONS tells everyone the methods of a path, which the document
 * tells too.
 */
function isLegitimate (
  method: string,
  [, without, status]: (typeof PATHS)[number],
  refused: Who['refused'],
  found: number
): boolean {
  if (method === 'OPTIONS') return found === 204 || found === 404 || found === 400
  if (refused) return found === (without === 401 ? refused : without)
  return found >= 400 || (method === 'HEAD' && status === 200)
}

t.test(
  'no method leads past the key on any spelling of a path, and none that the path does not have is served',
  async (t) => {
    const service = await startService(t)
    await service.call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
    const methods = [
      'HEAD',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'PURGE',
      'QUERY',
      'SEARCH'
    ].filter((method) => METHODS.includes(method))
    const cases = PATHS.flatMap((row) => methods.map((method) => ({ method, row })))
    let count = 0
    for (const { title: who, authorization, refused } of await callers(service)) {
      const exchanges = await exchange(
        service,
        cases.map(({ method, row: [path] }) => [`${method} ${path} with ${who}`, bytesOf(method, path, authorization)])
      )
      for (const [index, { title, reply }] of exchanges.entries()) {
        const { method, row } = cases[index]!
        const fault = reply.status < 300 || method === 'HEAD' ? missingHeader(reply) : faultOf(reply)
        if (fault || !isLegitimate(method, row, refused, reply.status)) {
          t.fail(`${title}: ${reply.status} ${fault ?? ''}`)
        }
        count++
      }
    }
    t.ok(count > 4_000, `${count} requests`)
    t.equal((await service.call('GET', '/pets')).json.length, 1, 'and nothing was stored')
  }
)

t.test(
  'every method on every path needs a key but OPTIONS; what the path does not have is a 405 with Allow',
  async (t) => {
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
      '/v1/nothing': '',
      '/v1/pets/': '',
      '/v1/store/orders/': '',
      '/v1/inventory/': ''
    }
    /** What comes of a request without a body; there is no order. */
    const statuses: Record<string, number> = { GET: 200, HEAD: 200, POST: 400, PATCH: 400, DELETE: 404 }
    const methods = METHODS.filter((method) => method !== 'CONNECT')
    t.ok(methods.includes('PROPFIND') && methods.includes('TRACE'))
    for (const { title: who, authorization, refused } of await callers(service)) {
      for (const [path, allow] of Object.entries(allowed)) {
        for (const { title, reply } of await exchange(
          service,
          methods.map((method) => [method, bytesOf(method, path, authorization)])
        )) {
          const found = { status: reply.status, allow: reply.headers.allow }
          const at = `${title} ${path} with ${who}`
          if (title === 'OPTIONS') t.same(found, allow ? { status: 204, allow } : { status: 404, allow: undefined }, at)
          else if (refused) t.same(found, { status: refused, allow: undefined }, at)
          else if (!allow) t.same(found, { status: 404, allow: undefined }, at)
          else if (allow.split(', ').includes(title)) t.same(found, { status: statuses[title], allow: undefined }, at)
          else t.same(found, { status: 405, allow }, at)
          if (title === 'HEAD') t.equal(reply.body + reply.rest, '', `${at}: no body`)
          t.equal(reply.status < 400 || title === 'HEAD' ? missingHeader(reply) : faultOf(reply), undefined, at)
        }
      }
    }
  }
)
