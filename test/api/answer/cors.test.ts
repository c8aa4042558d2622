import t from 'tap'
import { parseReply, sendRaw } from '../../../scripts/http/raw.js'
import { operationsOf } from '../../../src/contract/operation/operation.js'
import { document, startService } from '../../support/service.js'

const origin = 'https://shop.example'

t.test('a preflight is answered without a key, whatever its path', async (t) => {
  const { fetch } = await startService(t)
  for (const path of ['/v1/pets', '/v1/pets/1', '/v1/nope', '/healthz']) {
    const { status, headers, text } = await fetch('OPTIONS', path, {
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type'
      }
    })
    t.equal(status, 204, path)
    t.equal(text, '')
    t.equal(headers.get('access-control-allow-origin'), '*')
    t.match(headers.get('access-control-allow-methods'), /\bPOST\b/)
    t.equal(headers.get('access-control-allow-headers'), 'authorization,content-type')
    t.ok(headers.get('x-ratelimit-limit'))
  }
})

t.test('a page on another origin may read every header that the document declares, also on errors', async (t) => {
  const { fetch, key } = await startService(t)
  const declared = new Set(
    operationsOf(document).flatMap(({ responses }) =>
      [...responses.values()].flatMap(({ headers }) => Object.keys(headers ?? {}))
    )
  )
  for (const secret of [key, undefined]) {
    const { headers } = await fetch('GET', '/v1/pets/1', { headers: { origin }, key: secret })
    const exposed = headers.get('access-control-expose-headers')!.toLowerCase().split(', ')
    for (const name of declared) t.ok(exposed.includes(name.toLowerCase()), name)
    t.equal(headers.get('access-control-allow-origin'), '*')
  }
})

t.test('CORS_ORIGIN narrows it to a list of origins', async (t) => {
  const { fetch, key } = await startService(t, { corsOrigin: [origin] })
  t.equal(
    (await fetch('GET', '/v1/pets', { key, headers: { origin } })).headers.get('access-control-allow-origin'),
    origin
  )
  t.equal(
    (await fetch('GET', '/v1/pets', { key, headers: { origin: 'https://other.example' } })).headers.get(
      'access-control-allow-origin'
    ),
    null
  )
  t.match((await fetch('GET', '/v1/pets', { key })).headers.get('vary'), /Origin/)
})

t.test('OPTIONS that is no preflight tells the methods of a path', async (t) => {
  const { call } = await startService(t)
  const wanted = {
    '/pets': 'GET, HEAD, POST, OPTIONS',
    '/pets/1': 'GET, HEAD, OPTIONS',
    '/categories': 'GET, HEAD, POST, OPTIONS',
    '/store/orders': 'GET, HEAD, POST, OPTIONS',
    '/store/orders/1': 'DELETE, OPTIONS',
    '/inventory': 'GET, HEAD, OPTIONS',
    '/inventory/1': 'PATCH, OPTIONS'
  }
  for (const [path, allow] of Object.entries(wanted)) {
    const { status, headers, text } = await call('OPTIONS', path, { key: undefined })
    t.same([status, headers.get('allow'), text], [204, allow, ''], path)
  }
})

t.test('a page may read why a malformed request was refused', async (t) => {
  const { fetch } = await startService(t)
  const { status, headers } = await fetch('GET', '/v1/%zz', { headers: { origin } })
  t.same([status, headers.get('access-control-allow-origin')], [400, '*'])
})

/** What Node's parser refuses, and what is never a request: a status and the bytes. */
const NO_REQUESTS: [status: number, bytes: string][] = [
  [431, `GET /v1/pets HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`],
  [400, `GET /v1/pets HTTP/1.1\r\nHost: x\r\norigin:${origin} \r\nBad Header: x\r\n\r\n`],
  [
    400,
    `POST /v1/pets HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\nContent-Type: application/json\r\n` +
      'Authorization: Bearer KEY\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n'
  ]
]

t.test('what the parser refuses carries the same headers of CORS as every answer', async (t) => {
  for (const corsOrigin of ['*', [origin], ['https://other.example']] as ('*' | string[])[]) {
    const { fetch, port, key } = await startService(t, { corsOrigin })
    const { headers } = await fetch('GET', '/v1/pets', { key, headers: { origin } })
    const usual = [...headers].filter(([name]) => name.startsWith('access-control-'))
    for (const [status, bytes] of NO_REQUESTS) {
      const reply = parseReply(await sendRaw(port, bytes.replace('KEY', key)))
      t.equal(reply.status, status)
      t.same(Object.entries(reply.headers).filter(([name]) => name.startsWith('access-control-')).sort(), usual.sort())
      if (corsOrigin !== '*') t.equal(reply.headers.vary, 'Origin')
    }
  }
})
