import t from 'tap'
import { requestOf } from '../../../scripts/documents/call-all.js'
import { samplerOf } from '../../../scripts/documents/sample.js'
import { parseReply, sendRaw } from '../../../scripts/http/raw.js'
import { faultOf } from '../../../scripts/http/refusal.js'
import { readDocument } from '../../../src/contract/document/document.js'
import { resolve } from '../../../src/contract/document/reference.js'
import { Schemas } from '../../../src/contract/document/schemas.js'
import { MEDIA_TYPE, operationsOf } from '../../../src/contract/operation/operation.js'
import { read } from '../../contract/books.js'
import { startMock } from '../../support/mock.js'
import { document, startService, type Call } from '../../support/service.js'

const sampleOf = samplerOf(new Schemas(document), 'request')
/** A call of each operation, made from the document. */
const CALLS = new Map(
  operationsOf(document).map((operation): [string, [method: string, path: string, call: Call]] => {
    const { method, url, payload } = requestOf(sampleOf, operation)
    const path = String(url).slice('/v1'.length)
    return [operation.operationId, [method!, path, payload === undefined ? {} : { body: JSON.parse(String(payload)) }]]
  })
)
const LIMITS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit-policy', 'ratelimit']

/** Headers whose example is that of another time, and those which a 429 has for itself. */
const TOLD_NOW = /^(X-RateLimit-Reset|RateLimit)$/
const TOLD_OF_429 = /^(X-RateLimit-Remaining|Retry-After)$/

interface Example {
  value: unknown
}
const exampleOf = (shown: unknown) =>
  resolve(document, { value: shown as { example?: unknown; examples?: Record<string, Example> }, pointer: '' }).value
/** The examples of an answer by their names; none of one without a body. */
const namedIn = (content: Record<string, unknown> | undefined) =>
  content ? Object.entries(exampleOf(content[MEDIA_TYPE]).examples!) : []

for (const { operationId, success, responses } of operationsOf(document)) {
  const [method, path, options] = CALLS.get(operationId)!
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
          // That of the request, that of the body, and what is true now, which has tests of its own.
          if (name === 'X-Request-Id' || (name === 'ETag' && status === '200')) continue
          if (TOLD_NOW.test(name) || (status === '429' && TOLD_OF_429.test(name))) continue
          if (name === 'Link' && status === '200' && Array.isArray(reply.json)) {
            t.equal(reply.headers.get(name), null, 'the example is the whole list')
            continue
          }
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
    const [method, path, options] = CALLS.get(operationId)!
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
        '403 (forbidden), 404 (missing), 405 (methodNotAllowed), 410 (gone), 412 (preconditionFailed), ' +
        '429 (rateLimited, keyBanned), 500 (internalError), 503 (unavailable).',
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

t.test('pages and document say that this is a mock, and what key its calls need', async (t) => {
  for (const [requireKey, sentence, call] of [
    [false, 'Calls need no key.', 'curl $BASE_URL/pets'],
    [true, 'Calls need an API key, and any text will do.', 'curl -H "Authorization: Bearer any" $BASE_URL/pets']
  ] as const) {
    const { fetch } = await startMock(t, { requireKey })
    const { text: landing } = await fetch('GET', '/', { headers: { accept: 'text/html' } })
    t.match(landing, `This server is a mock: it answers with the examples of the document and stores nothing. ${sentence}`)

    const { json: shown, text: shownText } = await fetch('GET', '/openapi.json')
    const [, before, first] = /^([^]*?)^## First call\n([^]*)$/m.exec(shown.info.description)!
    t.match(first, 'This server is a mock')
    t.match(first, sentence)
    t.ok(first!.includes(`\n${call}\n`))
    t.notMatch(first, /localhost|127\.0\.0\.1/)
    t.ok(before && document.info.description?.startsWith(before), 'the rest of the description stays')
    t.equal(/"(security|securitySchemes)":/.test(JSON.stringify(shown)), requireKey)
    t.same(Object.keys(shown.paths), Object.keys(document.paths!))
    t.equal((await fetch('GET', '/docs/json')).headers.get('location'), '../openapi.json', 'the docs page shows the same')
    const { text: yaml } = await fetch('GET', '/openapi.yaml')
    t.same(await readDocument(yaml), await readDocument(shownText), 'and so does YAML')
    t.match(yaml, 'minimum: -9223372036854775808\n', 'digit for digit')
  }
})

t.test('the docs page of a document without a description says too that this is a mock', async (t) => {
  const { fetch } = await startMock(t, { document: await read({}) })
  const { json } = await fetch('GET', '/openapi.json')
  t.match(json.info.description, /^## First call\n\nThis server is a mock/)
})

t.test('who follows rel="next" gets every item once and comes to an end', async (t) => {
  const { call, fetch, root } = await startMock(t)
  for (const path of ['/pets', '/categories', '/store/orders', '/inventory']) {
    const { json: all, headers } = await call('GET', path)
    t.equal(headers.get('link'), null, 'the whole list has no next page')
    const items = []
    for (let url: string | undefined = `/v1${path}?limit=1`; url !== undefined && items.length < 9;) {
      const { status, json, headers } = await fetch('GET', url)
      t.same([status, json.length], [200, 1], url)
      items.push(...json)
      const next: string | undefined = /^<(\S+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
      const followed: URL = new URL(next ?? '', root + url)
      if (next) t.equal(followed.pathname, `/v1${path}`)
      url = next && followed.pathname + followed.search
    }
    t.same(items, all, path)
  }
})

t.test('a list has the items that its query asks for, and its Link the whole query', async (t) => {
  const { call } = await startMock(t)
  for (const [path, found, link] of [
    ['/pets?status=sold', [], null],
    ['/pets?status=sold&limit=1', [], null],
    ['/pets?status=available', [1], null],
    ['/pets?status=available&limit=1', [1], null],
    ['/pets?limit=1', [1], '<?limit=1&cursor=MQ>; rel="next"'],
    ['/pets?limit=1&cursor=MQ', [2], null],
    ['/pets?limit=2', [1, 2], null],
    ['/pets?cursor=MjA', [], null]
  ] as const) {
    const { status, json, headers } = await call('GET', path)
    t.same([status, json.map(({ id }: { id: number }) => id), headers.get('link')], [200, found, link], path)
    const head = await call('HEAD', path)
    t.equal(head.headers.get('link'), link, `HEAD ${path}`)
  }
  const chosen = await call('GET', '/pets?limit=1', { headers: { prefer: 'example=page' } })
  t.same([chosen.json.length, chosen.headers.get('preference-applied')], [1, 'example=page'])
  for (const cursor of ['nope', 'MA', 'LTE', 'MQ==', '1']) {
    t.match(await call('GET', `/pets?cursor=${cursor}`), {
      status: 400,
      json: { message: "Query parameter 'cursor' must be taken from the Link header of another page." }
    })
  }
})

t.test('the limits of an answer are those of now, and a 429 tells of a spent minute', async (t) => {
  const { call, fetch } = await startMock(t)
  for (const [path, prefer] of [
    ['/pets', ''],
    ['/pets/1', 'code=404'],
    ['/pets', 'code=503'],
    ['/nope', ''],
    ['/pets', 'code=429'],
    ['/pets', 'example=keyBanned']
  ] as const) {
    const before = Date.now()
    const { status, headers } = await (path === '/nope' ? fetch : call)('GET', path, { headers: { prefer } })
    const after = Date.now()
    const left = status === 429 ? 0 : 59
    t.equal(headers.get('x-ratelimit-remaining'), String(left), `${path} ${prefer}`)
    const reset = Number(headers.get('x-ratelimit-reset'))
    t.equal(reset % 60, 0, 'a minute ends at second 0')
    const [, r, wait] = /^"minute";r=(\d+);t=(\d+), "day";r=\d+;t=\d+$/.exec(headers.get('ratelimit')!)!
    t.equal(r, String(left))
    const [least, most] = [after, before].map((now) => Math.ceil(reset - now / 1000)) as [number, number]
    t.ok(Number(wait) >= least && Number(wait) <= most, `${wait} s from ${least} to ${most}`)
    t.ok(Number(wait) >= 1)
    if (status === 429) t.equal(headers.get('retry-after'), wait)
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
