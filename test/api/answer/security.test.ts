import t from 'tap'
import { loggerOf } from '../../../src/cli/log.js'
import { StorageUnavailable } from '../../../src/domain/errors.js'
import { parseReply, sendRaw } from '../../../scripts/http/raw.js'
import { exchange, faultOf, missingHeader } from '../../../scripts/http/refusal.js'
import { startService, type Service } from '../../support/service.js'

const get = (target: string, ...headers: string[]) =>
  ['GET ' + target + ' HTTP/1.1', 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n')

t.test('the scheme Bearer is read in any case', async (t) => {
  const service = await startService(t)
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer ']) {
    const { status } = await service.fetch('GET', '/v1/pets', {
      headers: { authorization: `${scheme} ${service.key}` }
    })
    t.equal(status, 200, scheme)
  }
})

t.test('every 401 has the same body; WWW-Authenticate says invalid_token only when something was sent', async (t) => {
  const service = await startService(t)
  const {
    key,
    makeKey,
    repositories: { apiKeys },
    clock
  } = service
  const revoked = await makeKey()
  await apiKeys.revoke(revoked.id, new Date(clock.now()))
  const sent = [
    'Authorization: ',
    'Authorization: Bearer',
    'Authorization: Bearer ',
    `Authorization: ${key}`,
    `Authorization: Bearer${key}`,
    `Authorization: Bearer\t${key}`,
    `Authorization: Basic ${Buffer.from(`${key}:`).toString('base64')}`,
    `Authorization: Token ${key}`,
    `Authorization: Bearer "${key}"`,
    `Authorization: Bearer ${key} ${key}`,
    `Authorization: Bearer ${key},`,
    `Authorization: Bearer ${key}, Bearer ${key}`,
    `Authorization: Bearer ${key.toUpperCase()}`,
    `Authorization: Bearer ${key.slice(0, -1)}`,
    `Authorization: Bearer ${key}x`,
    `Authorization: Bearer ${encodeURIComponent(key).replaceAll('_', '%5f')}`,
    'Authorization: Bearer __proto__',
    `Authorization: Bearer ${'x'.repeat(8000)}`,
    'Authorization: Bearer \xff',
    `Authorization: Bearer ${revoked.secret}`,
    `Authorization: Bearer ${key}\r\nAuthorization: Bearer ${key}`,
    `Authorization: Bearer wrong\r\nauthorization: Bearer ${key}`,
    `Authorization: Bearer ${key}\r\nauthorization: Bearer wrong`
  ]
  const elsewhere = [
    get(`/v1/pets?access_token=${key}`),
    get(`/v1/pets?api_key=${key}`),
    get(`/v1/pets/${key}`),
    ...[
      'Cookie: Authorization=Bearer',
      'X-API-Key:',
      'Api-Key:',
      'Proxy-Authorization: Bearer',
      'X-Authorization: Bearer',
      'Authentication: Bearer',
      'X-Forwarded-Authorization: Bearer'
    ].map((header) => get('/v1/pets', `${header} ${key}`))
  ]
  const requests: [string, Uint8Array][] = [
    get('/v1/pets'),
    ...elsewhere,
    ...sent.map((header) => get('/v1/pets', header))
  ].map((request) => [request.split('\r\n', 4).join(' '), Buffer.from(request, 'latin1')])
  const exchanges = await exchange(service, requests)
  for (const [index, { title, reply }] of exchanges.entries()) {
    t.equal(reply.status, 401, title)
    t.equal(faultOf(reply), undefined)
    t.equal(reply.body, exchanges[0]!.reply.body)
    t.equal(
      reply.headers['www-authenticate'],
      `Bearer realm="petstore"${index > elsewhere.length ? ', error="invalid_token"' : ''}`,
      title
    )
  }
})

t.test('X-Forwarded-For names the caller only when it comes from a trusted proxy', async (t) => {
  const remaining = async (service: Service, forwarded: string) =>
    (
      await service.fetch('GET', '/v1/pets', {
        headers: { 'x-forwarded-for': forwarded, 'x-real-ip': forwarded, forwarded: `for=${forwarded}` }
      })
    ).headers.get('x-ratelimit-remaining')
  for (const trustProxy of [[], ['10.0.0.1'], ['10.0.0.0/8', '::1']]) {
    const service = await startService(t, { trustProxy })
    const found = []
    for (let i = 1; i <= 5; i++) found.push(await remaining(service, `192.0.2.${i}`))
    t.same(found, ['59', '58', '57', '56', '55'], `trusted: ${trustProxy.join() || 'nobody'}`)
  }
  const behind = await startService(t, { trustProxy: ['127.0.0.1'] })
  const found = []
  for (const forwarded of [
    '192.0.2.1',
    '192.0.2.2',
    '192.0.2.1',
    '198.51.100.7, 192.0.2.1',
    '6.6.6.6, 192.0.2.1',
    '192.0.2.1, 192.0.2.3',
    '2001:db8::1',
    '2001:db8::2',
    '2001:db8:1::1',
    '::ffff:192.0.2.1'
  ]) {
    found.push(await remaining(behind, forwarded))
  }
  t.same(
    found,
    ['59', '59', '58', '57', '56', '59', '59', '58', '59', '55'],
    'the address that the proxy saw, IPv6 by network, counts'
  )
  for (const forwarded of ['garbage', 'x'.repeat(5000), ',,,', '__proto__', '1.2.3.4:80', '"', '256.1.1.1']) {
    t.match(await remaining(behind, forwarded), /^\d+$/, forwarded.slice(0, 20))
  }
})

t.test('every answer of the server carries the security headers, the limits and an id of its own', async (t) => {
  const service = await startService(t)
  const preflight = ['Origin: https://shop.example', 'Access-Control-Request-Method: POST']
  const auth = `Authorization: Bearer ${service.key}`
  const requests: [string, string][] = [
    ...[
      '/healthz',
      '/readyz',
      '/openapi.yaml',
      '/openapi.json',
      '/docs',
      '/nothing',
      '/docs/nothing',
      '/v1/pets',
      '/favicon.ico'
    ].map((path) => [path, get(path)]),
    ['a list', get('/v1/pets', auth)],
    ['an animal that does not exist', get('/v1/pets/1', auth)],
    ['HEAD', get('/v1/pets', auth).replace('GET', 'HEAD')],
    ['OPTIONS', get('/v1/pets').replace('GET', 'OPTIONS')],
    ['a preflight', get('/v1/pets', ...preflight).replace('GET', 'OPTIONS')],
    ['a preflight elsewhere', get('/nothing', ...preflight).replace('GET', 'OPTIONS')]
  ] as [string, string][]
  const ids = new Set<string>()
  for (const { title, reply } of await exchange(
    service,
    requests.map(([title, bytes]) => [
      title,
      bytes.replace('Host: x', 'Host: x\r\nX-Request-Id: chosen\r\nRequest-Id: chosen')
    ])
  )) {
    t.equal(missingHeader(reply), undefined, `${title} (${reply.status})`)
    ids.add(reply.headers['x-request-id']!)
    t.equal(reply.headers.server ?? reply.headers['x-powered-by'], undefined, 'and tells nothing of what it is made of')
  }
  t.equal(ids.size, requests.length, 'an id is never used twice, nor taken from the request')
})

t.test('headers named like parts of every object do no harm', async (t) => {
  const service = await startService(t)
  const names = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '__defineGetter__',
    'then',
    'valueOf'
  ]
  for (const { title, reply } of await exchange(
    service,
    names.map((name) => [name, get('/v1/pets', `Authorization: Bearer ${service.key}`, `${name}: x`, `${name}: y`)])
  )) {
    t.equal(reply.status, 200, title)
  }
  t.equal(({} as Record<string, unknown>).x, undefined)
})

t.test('no line of the log holds a key or a query, wherever the key was sent and at any level', async (t) => {
  const lines: string[] = []
  const service = await startService(t, {
    logger: {
      ...(loggerOf('trace') as object),
      stream: {
        write: (line: string) => {
          lines.push(line)
        }
      }
    }
  })
  const { key } = service
  const auth = `Authorization: Bearer ${key}`
  const post = (body: string) =>
    get('/v1/pets', auth, 'Content-Type: application/json', `Content-Length: ${body.length}`).replace('GET', 'POST') +
    body
  const requests = [
    get('/v1/pets?limit=1', auth),
    get('/v1/pets?secret=sauce', auth),
    get('/v1/pets', `Authorization: Bearer ${key}x`),
    get('/v1/pets', auth, auth),
    get('/v1/pets', `Authorization: ${key}`),
    get('/v1/pets', `Cookie: ${key}`),
    get(`/v1/pets?key=${key}`),
    get(`/v1/pets#${key}`),
    get(`/v1/pets/${key}`, auth),
    get(`/${key}`),
    get(`/v1/pets/${key.replaceAll('_', '%5f')}`),
    get(`http://${key}@x/v1/pets`),
    get(`/%zz${key}`),
    get(`ftp://${key}`),
    `${key}\r\n\r\n`,
    `GET ${key} HTTP/1.1\r\n\r\n`,
    get('/v1/pets', `${auth}\r\n folded`),
    get('/v1/pets', `${key} : x`),
    get('/v1/pets', auth, 'Transfer-Encoding: gzip'),
    `${key} / HTTP/1.1\r\n\r\n`,
    post(key),
    post(`{"${key}":1}`),
    post(`{"name":"Rex","categoryId":"${key}"}`),
    `CONNECT ${key}:443 HTTP/1.1\r\nHost: x\r\n\r\n`
  ]
  await exchange(
    service,
    requests.map((request) => [request, request])
  )
  t.ok(lines.length > requests.length)
  t.same(
    lines.filter((line) => line.includes(key.slice(9)) || line.includes('sauce') || line.includes('limit=1')),
    []
  )
})

const OPERATIONS: [method: string, path: string, body?: object][] = [
  ['GET', '/pets'],
  ['POST', '/pets', { name: 'Rex', categoryId: 1 }],
  ['GET', '/pets/1']
]
const SECRET = 'password=hunter2 at /srv/petstore'

function failing (part: keyof Service['repositories'], fail: () => unknown) {
  const fails = new Proxy({}, { get: () => async () => fail() })
  return { wrap: (repositories: Service['repositories']) => ({ ...repositories, [part]: fails }) }
}

for (const part of ['pets', 'apiKeys', 'usage'] as const) {
  t.test(`when the storage of ${part} fails, every operation is a 503 that says when to come back`, async (t) => {
    const { call } = await startService(
      t,
      failing(part, () => {
        throw new StorageUnavailable(SECRET)
      })
    )
    for (const [method, path, body] of OPERATIONS) {
      const { status, json, headers, text } = await call(method, path, { body })
      t.same(
        { status, code: json.code, retryAfter: headers.get('retry-after') },
        { status: 503, code: 'unavailable', retryAfter: '1' },
        `${method} ${path}`
      )
      t.notMatch(text, SECRET)
    }
  })

  t.test(`what an unforeseen failure of ${part} says is not for the caller`, async (t) => {
    const traits = {
      headers: { 'X-Secret': SECRET, 'Set-Cookie': SECRET, 'Content-Type': 'text/plain' },
      expose: true,
      body: SECRET,
      detail: SECRET
    }
    const failures: [title: string, fail: () => unknown][] = [
      ...[undefined, 200, 302, 400, 401, 404, 503, 999].map((statusCode): [string, () => unknown] => [
        `an Error with the status ${statusCode}`,
        () => {
          throw Object.assign(new Error(SECRET), traits, { statusCode, status: statusCode, code: SECRET })
        }
      ]),
      [
        'a TypeError',
        () => {
          throw new TypeError(SECRET)
        }
      ],
      [
        'an Error with a number as its code',
        () => {
          throw Object.assign(new Error(SECRET), { code: 42 })
        }
      ],
      [
        'a text',
        () => {
          throw SECRET
        }
      ],
      [
        'undefined',
        () => {
          throw undefined // eslint-disable-line no-throw-literal
        }
      ],
      [
        'null',
        () => {
          throw null // eslint-disable-line no-throw-literal
        }
      ]
    ]
    for (const [title, fail] of failures) {
      const { call } = await startService(t, failing(part, fail))
      for (const [method, path, body] of OPERATIONS) {
        const { status, json, headers, text } = await call(method, path, { body })
        t.same(
          { status, json },
          {
            status: 500,
            json: {
              code: 'internal_error',
              message: 'The service failed. Quote the X-Request-Id header when you report this.',
              status: 500
            }
          },
          `${title}: ${method} ${path}`
        )
        t.notMatch(text + JSON.stringify([...headers]), 'hunter2')
        t.same([headers.get('x-secret'), headers.get('set-cookie')], [null, null])
      }
    }
  })
}

t.test('a record that the document does not allow is a 500 and never an answer', async (t) => {
  for (const record of [1, [], { id: SECRET }, { id: 1, name: SECRET }]) {
    const { call } = await startService(
      t,
      failing('pets', () => record)
    )
    const { status, text } = await call('GET', '/pets/1')
    t.equal(status, 500, JSON.stringify(record))
    t.notMatch(text, 'hunter2')
  }
})

t.test('/readyz is an Error when the database fails and when the service is stopping', async (t) => {
  const broken = await startService(t, { ping: () => Promise.reject(new StorageUnavailable(SECRET)) })
  const stopping = await startService(t)
  stopping.lifecycle.draining = true
  for (const service of [broken, stopping]) {
    const reply = parseReply(await sendRaw(service.port, get('/readyz')))
    t.same({ status: reply.status, retryAfter: reply.headers['retry-after'] }, { status: 503, retryAfter: '1' })
    t.equal(faultOf(reply), undefined)
  }
})
