import t from 'tap'
import { exchange, faultOf, missingHeader } from '../../../scripts/http/refusal.js'
import { loggerOf } from '../../../src/cli/log.js'
import { recordingLogger } from '../../support/log.js'
import { startService } from '../../support/service.js'

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
