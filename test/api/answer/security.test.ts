import t from 'tap'
import { exchange, faultOf, missingHeader } from '../../../scripts/http/refusal.js'
import { loggerOf } from '../../../src/cli/log.js'
import { recordingLogger } from '../../support/log.js'
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
  const { lines, logger } = recordingLogger('trace')
  const service = await startService(t, { logger: { ...((await loggerOf('trace')) as object), ...logger } })
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

/** Hops of X-Forwarded-For as proxies and attackers write them, and the address of each; else the proxy's counts. */
const HOPS: [hop: string, address?: string][] = [
  ['1.2.3.4', '1.2.3.4'],
  ['1.2.3.4:5678', '1.2.3.4'],
  ['  1.2.3.4:1  ', '1.2.3.4'],
  ['"1.2.3.4:5678"', '1.2.3.4'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:99', '2001:db8::1'],
  ['"[2001:db8::1]:99"', '2001:db8::1'],
  ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['fe80::1%eth0', 'fe80::1'],
  ['fe80::1%abc', 'fe80::1'],
  ['9.9.9.9, 1.2.3.4:80', '1.2.3.4'],
  ['abc1, 1.2.3.4', '1.2.3.4'],
  ['1.2.3.4,', '1.2.3.4'],
  ['1.2.3.4, abc1'],
  ['unknown'],
  ['1.2.3.4%abc'],
  ['1.2.3.4%abc:80'],
  ['abc1'],
  ['_hidden'],
  ['1.2.3.4:'],
  ['1.2.3.4:x'],
  ['1.2.3'],
  ['256.1.1.1'],
  ['[1.2.3.4'],
  ['"1.2.3.4'],
  ['[]:80'],
  [',,,'],
  [`pet_live_${'a'.repeat(38)}`]
]

t.test('a hop of X-Forwarded-For is an address without its port, or is not believed and not logged', async (t) => {
  const { lines, logger } = recordingLogger('info')
  const { fetch } = await startService(t, { trustProxy: ['127.0.0.1'], logger })
  const remaining = new Map<string, number>()
  for (const [hop, address = '127.0.0.1'] of HOPS) {
    // IPv6 addresses are counted by their network.
    const caller = address.replace(/::1$/, '::')
    const { headers } = await fetch('GET', '/v1/pets', { headers: { 'x-forwarded-for': hop } })
    const wanted = (remaining.get(caller) ?? 60) - 1
    remaining.set(caller, wanted)
    t.equal(Number(headers.get('x-ratelimit-remaining')), wanted, hop)
    t.equal(JSON.parse(lines.at(-1)!).address, address, hop)
  }
})
