import t from 'tap'
import { parseReply, sendRaw } from '../../../scripts/http/raw.js'
import { faultOf } from '../../../scripts/http/refusal.js'
import { resolve } from '../../../src/contract/document/reference.js'
import { MEDIA_TYPE, operationsOf } from '../../../src/contract/operation/operation.js'
import { startMock } from '../../support/mock.js'
import { document, startService, type Call } from '../../support/service.js'

const CALLS: Record<string, [method: string, path: string, call?: Call]> = {
  listPets: ['GET', '/pets'],
  createPet: ['POST', '/pets', { body: { name: 'Ada', categoryId: 9 } }],
  getPet: ['GET', '/pets/1'],
  listCategories: ['GET', '/categories'],
  createCategory: ['POST', '/categories', { body: { name: 'Cats' } }],
  listOrders: ['GET', '/store/orders'],
  placeOrder: ['POST', '/store/orders', { body: { petId: 1 } }],
  cancelOrder: ['DELETE', '/store/orders/1'],
  listInventory: ['GET', '/inventory'],
  updateInventory: ['PATCH', '/inventory/1', { body: { quantity: 3 } }]
}
const LIMITS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit-policy', 'ratelimit']

interface Example {
  value: unknown
}
const exampleOf = (shown: unknown) =>
  resolve(document, { value: shown as { example?: unknown; examples?: Record<string, Example> }, pointer: '' }).value
/** The examples of an answer by their names; none of one without a body. */
const namedIn = (content: Record<string, unknown> | undefined) =>
  content ? Object.entries(exampleOf(content[MEDIA_TYPE]).examples!) : []

for (const { operationId, success, responses } of operationsOf(document)) {
  const [method, path, options] = CALLS[operationId]!
  t.test(`${operationId}: every answer and example of the document, with its headers`, async (t) => {
    const { call } = await startMock(t)
    for (const [status, { headers: declared = {}, content }] of responses) {
      const named = namedIn(content)
      const ways: [prefer: string, value: unknown][] = [
        ...named.map(([name, { value }]): [string, unknown] => [`code=${status}, example=${name}`, value]),
        [`code=${status}`, named[0]?.[1].value]
      ]
      for (const [prefer, value] of ways) {
        const reply = await call(method, path, { ...options, headers: { prefer } })
        t.equal(reply.status, Number(status), prefer)
        t.same(reply.json, value, prefer)
        t.equal(reply.headers.get('preference-applied'), prefer)
        for (const [name, header] of Object.entries(declared)) {
          // That of the request, and that of the body.
          if (name === 'X-Request-Id' || (name === 'ETag' && status === '200')) continue
          t.equal(
            reply.headers.get(name),
            exampleOf(header).example === undefined ? null : String(exampleOf(header).example),
            `${prefer}: ${name}`
          )
        }
      }
    }
    const { status, json, headers } = await call(method, path, options)
    const [first] = namedIn(responses.get(String(success))!.content)
    t.same([status, json, headers.get('preference-applied')], [success, first?.[1].value, null], 'without Prefer')
  })
}

t.test('an example is found by its name alone, in the 2xx first', async (t) => {
  const { call } = await startMock(t)
  for (const [operationId, prefer, status, found] of [
    ['createPet', 'example=least', 201, { id: 2, name: 'Ada' }],
    ['createPet', 'Example = "least";x=y, respond-async', 201, { id: 2, name: 'Ada' }],
    ['listPets', 'wait=10, example=keyBanned', 429, { code: 'key_banned' }],
    ['listPets', 'respond-async, code=400, code=401', 400, { code: 'bad_request' }],
    ['getPet', '', 200, { id: 1 }],
    ['getPet', 'return=minimal, x="code=404, code=404"', 200, { id: 1 }]
  ] as const) {
    const [method, path, options] = CALLS[operationId]!
    t.match(await call(method, path, { ...options, headers: { prefer } }), { status, json: found }, prefer)
  }
})

t.test('a code or an example that the operation does not declare is a 400 that lists those it has', async (t) => {
  const { call } = await startMock(t)
  for (const prefer of [
    'code=418',
    'code=4',
    'code',
    'code=',
    'example=nope',
    'code=200, example=least',
    'example=__proto__',
    'code="\u00e9"'
  ]) {
    const { status, json, headers } = await call('GET', '/pets/1', { headers: { prefer } })
    t.equal(status, 400, prefer)
    t.same(json, {
      code: 'bad_request',
      message:
        "Header 'Prefer' must name a code or an example of getPet: 200 (pet), 304, 400 (invalid, tooLarge), 401 (unauthorized), " +
        '403 (forbidden), 404 (missing), 405 (methodNotAllowed), 410 (gone), 429 (rateLimited, keyBanned), 500 (internalError), 503 (unavailable).',
      status: 400
    })
    t.equal(headers.get('preference-applied'), null)
  }
})

const REFUSED: [method: string, path: string, call?: Call][] = [
  ['GET', '/v1/pets?limit=101'],
  ['GET', '/v1/pets?limit=1e1'],
  ['GET', '/v1/pets?stauts=sold'],
  ['GET', '/v1/pets?limit=1&limit=2'],
  ['GET', '/v1/pets/abc'],
  ['GET', '/v1/pets/9223372036854775808'],
  ['GET', '/v1/pets/%zz'],
  ['POST', '/v1/pets', { body: { name: 'Rex' } }],
  ['POST', '/v1/pets', { body: { name: '', categoryId: 1 } }],
  ['POST', '/v1/pets', { raw: '{' }],
  ['POST', '/v1/pets'],
  ['POST', '/v1/pets', { raw: '{}', headers: { 'content-type': 'text/plain' } }],
  ['POST', '/v1/pets', { raw: ' '.repeat(16_385) }],
  ['DELETE', '/v1/pets'],
  ['POST', '/v1/pets/1'],
  ['OPTIONS', '/v1/pets'],
  ['HEAD', '/v1/pets?limit=0'],
  ['GET', '/v1/nope'],
  ['GET', '/nope'],
  ['POST', '/healthz'],
  ['POST', '/openapi.json']
]

t.test(
  'what the service refuses the mock refuses too, with the same body and headers, whatever Prefer asks for',
  async (t) => {
    const service = await startService(t)
    const mock = await startMock(t)
    for (const [method, path, { headers = {}, ...call } = {}] of REFUSED) {
      const theirs = await service.fetch(method, path, { ...call, headers, key: service.key })
      const ours = await mock.fetch(method, path, { ...call, headers: { ...headers, prefer: 'code=200' } })
      const shape = ({ status, text, headers }: typeof ours) => ({
        status,
        text,
        headers: [...headers.keys()].filter((name) => name !== 'keep-alive'),
        values: [
          'allow',
          'content-type',
          'deprecation',
          'sunset',
          'link',
          'cache-control',
          'content-security-policy'
        ].map((name) => headers.get(name))
      })
      t.same(shape(ours), shape(theirs), `${method} ${path}`)
    }
  }
)

t.test('bytes that are no request get an Error with the headers of every answer', async (t) => {
  const { port } = await startMock(t)
  for (const bytes of [
    'GET / HTTP/1.1\r\n\r\n',
    'NONSENSE\r\n\r\n',
    'GET /v1/pets HTTP/1.1\r\nHost: a\r\nBad Header\r\n\r\n'
  ]) {
    t.equal(faultOf(parseReply(await sendRaw(port, bytes))), undefined, JSON.stringify(bytes))
  }
})

t.test('docs page, document and health are there, with the limit headers of the document', async (t) => {
  const { fetch } = await startMock(t)
  for (const path of ['/docs', '/openapi.yaml', '/openapi.json', '/healthz', '/readyz']) {
    const { status, headers } = await fetch('GET', path)
    t.equal(status, 200, path)
    for (const name of LIMITS) t.ok(headers.get(name), `${path} ${name}`)
    t.equal(headers.get('retry-after'), null)
  }
  const without = await startMock(t, { docs: false })
  t.equal((await without.fetch('GET', '/docs')).status, 404)
})

t.test('who follows rel="next" comes to an end', async (t) => {
  const { call, fetch } = await startMock(t)
  for (const path of ['/pets', '/categories', '/store/orders', '/inventory']) {
    const [, next] = /^<(\S+)>; rel="next"$/.exec((await call('GET', path)).headers.get('link')!)!
    const { pathname, search } = new URL(next!, `http://x/v1${path}`)
    t.equal(pathname, `/v1${path}`)
    const last = await fetch('GET', pathname + search)
    t.same([last.status, last.headers.get('link')], [200, null])
  }
})

t.test('a page on another origin may choose an answer and read what was chosen', async (t) => {
  const { fetch } = await startMock(t, { corsOrigin: ['https://shop.example'] })
  const origin = 'https://shop.example'
  const preflight = await fetch('OPTIONS', '/v1/pets', {
    headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'prefer' }
  })
  t.equal(preflight.status, 204)
  t.match(preflight.headers.get('access-control-allow-headers'), /\bprefer\b/)
  const { status, headers } = await fetch('GET', '/v1/pets', { headers: { origin, prefer: 'code=429' } })
  t.same([status, headers.get('access-control-allow-origin')], [429, origin])
  const exposed = headers.get('access-control-expose-headers')!.toLowerCase().split(', ')
  for (const name of ['preference-applied', 'retry-after', ...LIMITS]) t.ok(exposed.includes(name), name)
})

t.test('HEAD has the headers of GET, of the chosen answer too', async (t) => {
  const { call } = await startMock(t)
  const { status, text, headers } = await call('HEAD', '/pets/1', { headers: { prefer: 'code=404' } })
  t.same(
    [status, text, headers.get('preference-applied'), headers.get('deprecation')],
    [404, '', 'code=404', '@1764892800']
  )
})

t.test('a key is asked for only when told so, and then any will do', async (t) => {
  const { fetch } = await startMock(t, { requireKey: true })
  for (const [path, authorization] of [
    ['/v1/pets', undefined],
    ['/v1/pets', 'Bearer'],
    ['/v1/pets', 'Bearer '],
    ['/v1/pets', 'Basic eDp5'],
    ['/v1/nope', undefined]
  ] as const) {
    const { status, json, headers } = await fetch(
      'GET',
      path,
      authorization === undefined ? {} : { headers: { authorization } }
    )
    t.match({ status, json }, { status: 401, json: { code: 'unauthorized', status: 401 } }, `${path} ${authorization}`)
    t.equal(
      headers.get('www-authenticate'),
      `Bearer realm="petstore"${authorization === undefined ? '' : ', error="invalid_token"'}`
    )
    t.ok(headers.get('x-ratelimit-limit'))
  }
  t.equal((await fetch('GET', '/v1/pets', { headers: { authorization: 'bearer any' } })).status, 200)
  t.equal((await fetch('GET', '/v1/nope', { key: 'any' })).status, 404)
  for (const [method, path, status] of [
    ['OPTIONS', '/v1/pets', 204],
    ['GET', '/healthz', 200],
    ['GET', '/docs', 200]
  ] as const) {
    t.equal((await fetch(method, path)).status, status, path)
  }
})
