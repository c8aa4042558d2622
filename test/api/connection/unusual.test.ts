import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { parseReply, repliesOf } from '../../../scripts/http/raw.js'
import { exchange } from '../../../scripts/http/refusal.js'
import { startService } from '../../support/service.js'
import { chunked, get, PET, post } from './messages.js'

/** Unusual, but HTTP. */
const SERVED: [title: string, request: string, status: number][] = [
  [
    'a fixed length with zeros in front',
    post('Content-Length: 0029\r\nConnection: close\r\nAuthorization: Bearer KEY\r\n', PET),
    201
  ],
  [
    'a chunk size with zeros in front and in capitals',
    chunked(`0001D\r\n${PET}\r\n00\r\n\r\n`).replace('Host: x', 'Host: x\r\nConnection: close'),
    201
  ],
  [
    '200 chunks of one byte',
    chunked(`${[...PET.padEnd(200)].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`).replace(
      'Host: x',
      'Host: x\r\nConnection: close'
    ),
    201
  ],
  [
    'CHUNKED',
    chunked(`1d\r\n${PET}\r\n0\r\n\r\n`)
      .replace('Host: x', 'Host: x\r\nConnection: close')
      .replace(': chunked', ': CHUNKED'),
    201
  ],
  ['an empty Host', get('Authorization: Bearer KEY\r\n').replace('Host: x', 'Host:'), 200],
  ['tabs around a header value', get('Authorization:\tBearer KEY\t\r\n'), 200],
  [
    'Expect of HTTP/1.0, which cannot expect',
    'GET /v1/pets HTTP/1.0\r\nExpect: bogus\r\nAuthorization: Bearer KEY\r\n\r\n',
    200
  ],
  [
    'X-HTTP-Method-Override, which is ignored',
    get('Authorization: Bearer KEY\r\nX-HTTP-Method-Override: DELETE\r\n'),
    200
  ],
  [
    'X-Original-URL, which is ignored',
    get('Authorization: Bearer KEY\r\nX-Original-URL: /nothing\r\nX-Rewrite-URL: /nothing\r\n'),
    200
  ],
  ['an empty line before the request', `\r\n${get('Authorization: Bearer KEY\r\n')}`, 200],
  ['HTTP/1.0 without a Host', 'GET /v1/pets HTTP/1.0\r\nAuthorization: Bearer KEY\r\n\r\n', 200],
  ['an absolute target', get('Authorization: Bearer KEY\r\n', 'http://x/v1/pets'), 200],
  ['an absolute target without a path', get('', 'http://x'), 200],
  ['OPTIONS of the whole server', get('', '*', 'OPTIONS'), 204],
  ['OPTIONS of an absolute target without a path', get('', 'http://x', 'OPTIONS'), 204],
  ['Upgrade, which is ignored', get('Authorization: Bearer KEY\r\nUpgrade: websocket\r\n'), 200],
  ['Upgrade to HTTP/2', get('Authorization: Bearer KEY\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'), 200],
  ['a GET with a body', get('Authorization: Bearer KEY\r\nContent-Length: 5\r\n') + 'hello', 200],
  [
    'a header named __proto__',
    get('Authorization: Bearer KEY\r\n__proto__: x\r\nconstructor: x\r\ntoString: x\r\n'),
    200
  ],
  ['an empty fragment of the query', get('Authorization: Bearer KEY\r\n', '/v1/pets?'), 200],
  ['bytes above 127 in a header', get('Authorization: Bearer KEY\r\nX-Latin: \xe9\r\n'), 200],
  [
    'chunks with an extension and a trailer',
    chunked(`1d;a=b\r\n${PET}\r\n0\r\nX-T: 1\r\n\r\n`).replace('Host: x', 'Host: x\r\nConnection: close'),
    201
  ]
]

t.test('unusual requests that are HTTP are served', async (t) => {
  const service = await startService(t)
  const exchanges = await exchange(
    service,
    SERVED.map(([title, bytes]) => [title, Buffer.from(bytes.replaceAll('KEY', service.key), 'latin1')])
  )
  for (const [index, { title, text, reply }] of exchanges.entries()) {
    t.equal(reply.status, SERVED[index]![2], title, { found: text.slice(0, 400) })
  }
})

t.test('a connection that asked for an upgrade is kept', async (t) => {
  const { port, key } = await startService(t)
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  for (const name of ['websocket', 'h2c']) {
    socket.write(
      `GET /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${name}\r\nAuthorization: Bearer ${key}\r\n\r\n`
    )
    const [text] = (await once(socket, 'data')) as [string]
    const { status, headers } = parseReply(text)
    t.same({ status, connection: headers.connection }, { status: 200, connection: 'keep-alive' }, name)
  }
  socket.destroy()
})

t.test('what stands behind a request that asked for an upgrade is read whole and served', async (t) => {
  const { port, key } = await startService(t)
  const upgrade = 'Connection: Upgrade\r\nUpgrade: h2c\r\n'
  const authorization = `Authorization: Bearer ${key}\r\n`
  const read = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${authorization}${more}\r\n`
  const add = (more = '') => post(`${authorization}${more}Content-Length: 29\r\n`, PET)
  const addInChunks = (more = '') =>
    post(`${authorization}${more}Transfer-Encoding: chunked\r\n`, `1d\r\n${PET}\r\n0\r\n\r\n`)
  const requests: [text: string, status: number][] = [
    [read('/healthz', upgrade), 200],
    [add(upgrade), 201],
    [read('/v1/pets'), 200],
    [read('/v1/nothing'), 404],
    [addInChunks(upgrade), 201],
    [read('/v1/pets', upgrade), 200],
    [read('/v1/nothing', upgrade), 404],
    [add(), 201]
  ]
  const bytes = requests.map(([text]) => text).join('')
  const statuses = requests.map(([, status]) => status)
  for (let cut = 0; cut < bytes.length; cut += 7) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true }).setEncoding('latin1')
    await once(socket, 'connect')
    socket.write(bytes.slice(0, cut))
    await setTimeout(2)
    socket.end(bytes.slice(cut))
    let text = ''
    for await (const data of socket) text += data
    t.same(repliesOf(text).map(({ status }) => status), statuses, `cut at ${cut}`)
  }
})

t.test('Expect: 100-continue is told to continue and then answered', async (t) => {
  const service = await startService(t)
  const [{ text } = { text: '' }] = await exchange(service, [
    [
      '',
      post(
        `Expect: 100-continue\r\nConnection: close\r\nContent-Length: 29\r\nAuthorization: Bearer ${service.key}\r\n`,
        PET
      )
    ]
  ])
  t.match(text, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/)
})

t.test('nobody is told to continue with a body that is refused for its length', async (t) => {
  const service = await startService(t)
  const [{ text } = { text: '' }] = await exchange(service, [
    ['', post(`Expect: 100-continue\r\nContent-Length: 99999\r\nAuthorization: Bearer ${service.key}\r\n`)]
  ])
  t.match(text, /^HTTP\/1\.1 413 /)
})
