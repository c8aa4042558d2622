import { gzipSync } from 'node:zlib'
import t from 'tap'
import { exchange, faultOf } from '../../../scripts/http/refusal.js'
import { startService, type Service } from '../../support/service.js'

const VALID = '{"name":"Rex","categoryId":1}'
const INVALID = '{"name":5}'

/** Every media type, and the status of a valid body sent as it; where that is 201, an invalid body is a 400. */
const MEDIA_TYPES: [type: string | undefined, status: 201 | 415][] = [
  ['application/json', 201],
  ['ApPlIcAtIoN/JsOn', 201],
  ['application/json; charset=utf-8', 201],
  ['application/json;charset=UTF-8', 201],
  ['application/json;charset="utf-8"', 201],
  ['application/json ;', 201],
  ['application/json;', 201],
  ['  application/json  ', 201],
  ['\tapplication/json', 201],
  ['application/json\t; charset=utf-8', 201],
  ['application/json; __proto__=x', 201],
  ['application/json\ta', 415],
  ['application/json garbage', 415],
  ['application/json, text/plain', 415],
  ['application/json,application/json', 415],
  ['application/jsonx', 415],
  ['application/jso', 415],
  ['xapplication/json', 415],
  ['application/json-patch+json', 415],
  ['application/vnd.api+json', 415],
  ['text/json', 415],
  ['text/plain', 415],
  ['text/plain; a=application/json', 415],
  ['text/plain;application/json', 415],
  ['text/plain, application/json', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/x-www-form-urlencoded', 415],
  ['*/*', 415],
  ['application/*', 415],
  ['application', 415],
  ['/', 415],
  [';', 415],
  ['"application/json"', 415],
  ['undefined', 415],
  ['__proto__', 415],
  ['__proto__/constructor', 415],
  ['application/json/', 415],
  ['application//json', 415],
  ['application /json', 415],
  [`application/${'x'.repeat(8_000)}`, 415],
  ['', 415],
  [undefined, 415]
]

/** What clients send that set a Content-Type on every request, whether it has content or not. */
const TYPES_OF_NOTHING = ['application/json', 'application/x-www-form-urlencoded', 'text/plain', '*/*', 'json', '']

function post (service: Service, headers: string, body: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(body as string)
  const head = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${service.key}\r\n${headers}Content-Length: ${bytes.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes])
}

for (const [name, body, ok] of [
  ['a valid', VALID, 201],
  ['an invalid', INVALID, 400]
] as const) {
  t.test(`${name} body is ${ok} as application/json in any spelling, and 415 as anything else`, async (t) => {
    const service = await startService(t)
    const line = (type?: string) => (type === undefined ? '' : `Content-Type: ${type}\r\n`)
    const exchanges = await exchange(
      service,
      MEDIA_TYPES.map(([type]) => [JSON.stringify(type)?.slice(0, 60) ?? 'none', post(service, line(type), body)])
    )
    for (const [index, { title, reply }] of exchanges.entries()) {
      const status = MEDIA_TYPES[index]![1] === 201 ? ok : 415
      t.equal(reply.status, status, title)
      if (status !== 201) t.equal(faultOf(reply), undefined, `${title}: an Error`)
    }
  })
}

t.test('two Content-Types are refused, whichever comes first', async (t) => {
  const service = await startService(t)
  const types = ['application/json', 'text/plain']
  const requests = types.flatMap((one) =>
    types.map((other): [string, Uint8Array] => [
      `${one}, then ${other}`,
      post(service, `Content-Type: ${one}\r\ncontent-type: ${other}\r\n`, VALID)
    ])
  )
  for (const { title, reply } of await exchange(service, requests)) {
    t.equal(reply.status, 400, title)
    t.equal(faultOf(reply), undefined)
  }
})

t.test('a body with a Content-Encoding is a 415', async (t) => {
  const service = await startService(t)
  const json = 'Content-Type: application/json\r\n'
  const requests = ['gzip', 'GZIP', 'deflate', 'br', 'gzip, gzip', 'unknown'].flatMap(
    (coding): [string, Uint8Array][] => [
      [`${coding}, which it is`, post(service, `${json}Content-Encoding: ${coding}\r\n`, gzipSync(VALID))],
      [`${coding}, which it is not`, post(service, `${json}Content-Encoding: ${coding}\r\n`, VALID)]
    ]
  )
  for (const { title, reply } of await exchange(service, requests)) {
    t.equal(reply.status, 415, title)
    t.equal(faultOf(reply), undefined)
  }
})

t.test('a request without a body is a 400 that says so, with and without a Content-Type', async (t) => {
  const { call } = await startService(t)
  for (const headers of [{}, { 'content-type': 'application/json' }]) {
    const { status, json } = await call('POST', '/pets', { headers })
    t.equal(status, 400)
    t.match(json.message, /body/i)
  }
})

t.test('where there is no content its type is not looked at', async (t) => {
  const { call } = await startService(t)
  for (const type of TYPES_OF_NOTHING) {
    const headers = { 'content-type': type }
    t.equal((await call('DELETE', '/store/orders/99', { headers })).status, 404, `DELETE ${type}`)
    t.equal((await call('OPTIONS', '/pets', { headers })).status, 204, `OPTIONS ${type}`)
    t.equal((await call('GET', '/pets', { headers })).status, 200, `GET ${type}`)
  }
  await call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
  await call('POST', '/store/orders', { body: { petId: 1 } })
  const cancelled = await call('DELETE', '/store/orders/1', { headers: { 'content-type': 'application/json' } })
  t.equal(cancelled.status, 204)
})

t.test('content of another type is refused where the document has no body, too', async (t) => {
  const { call } = await startService(t)
  const headers = { 'content-type': 'text/plain' }
  t.equal((await call('DELETE', '/store/orders/99', { raw: 'x', headers })).status, 415)
  t.equal((await call('DELETE', '/store/orders/99', { raw: '{' })).status, 400)
})
