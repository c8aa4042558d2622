import t from 'tap'
import { exchange, faultOf } from '../../../scripts/http/refusal.js'
import { recordingLogger } from '../../support/log.js'
import { startService } from '../../support/service.js'
import { contentOf } from '../../support/page.js'
import { chunked, get, PET, post } from './messages.js'

/** Requests that no answer but the refusal fits. KEY stands for a valid key. */
const REFUSED: [title: string, request: string, status: number][] = [
  ['an empty request line', ' \r\n\r\n', 400],
  ['bytes that are no HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['a method alone', 'GET\r\n\r\n', 400],
  ['a method in lower case', get('', '/v1/pets', 'get'), 400],
  ['an unknown method', get('', '/v1/pets', 'FOO'), 400],
  ['a target without a slash', get('', 'v1/pets'), 400],
  ['a space in the target', get('', '/v1/pets x'), 400],
  ['a tab in the request line', 'GET\t/v1/pets\tHTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['no protocol name', 'GET /v1/pets FTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a version without digits', 'GET /v1/pets HTTP/x\r\nHost: x\r\n\r\n', 400],
  ['HTTP/0.9 without a version', 'GET /v1/pets\r\n\r\n', 505],
  ['HTTP/0.9 by name', 'GET /v1/pets HTTP/0.9\r\nHost: x\r\n\r\n', 505],
  ['HTTP/1.2', 'GET /v1/pets HTTP/1.2\r\nHost: x\r\n\r\n', 400],
  ['HTTP/2 in a request line', 'GET /v1/pets HTTP/2.0\r\nHost: x\r\n\r\n', 505],
  ['HTTP/3 in a request line', 'GET /v1/pets HTTP/3.0\r\nHost: x\r\n\r\n', 400],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['no Host', 'GET /v1/pets HTTP/1.1\r\nAuthorization: Bearer KEY\r\n\r\n', 400],
  ['two Hosts', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nhost: y\r\nAuthorization: Bearer KEY\r\n\r\n', 400],
  ['no Host at the root', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
  ['two Hosts at the root', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n', 400],
  ['a header without a colon', get('Nonsense\r\n'), 400],
  ['a header without a name', get(': x\r\n'), 400],
  ['a space before the colon', get('Accept : */*\r\n'), 400],
  ['a space in a header name', get('Ac cept: */*\r\n'), 400],
  ['a header value with NUL', get('Accept: a\0b\r\n'), 400],
  ['a header value with DEL', get('Accept: a\x7fb\r\n'), 400],
  ['a carriage return alone in a header', get('Accept: a\rb: c\r\n'), 400],
  ['a folded header', get('Accept: a\r\n b\r\n'), 400],
  ['a first header that begins with a space', 'GET /v1/pets HTTP/1.1\r\n Host: x\r\n\r\n', 400],
  ['line feeds alone', 'GET /v1/pets HTTP/1.1\nHost: x\n\n', 400],
  ['a header of 20 kB', get(`X-Long: ${'x'.repeat(20_000)}\r\n`), 431],
  ['2,000 headers of 20 kB together', get('X-H: abcdefg\r\n'.repeat(2000)), 431],
  ['a second Host behind 3,000 other headers', get(`${'a:b\r\n'.repeat(3000)}Host: y\r\n`), 400],
  ['a header name of 20 kB', get(`${'x'.repeat(20_000)}: 1\r\n`), 431],
  ['an address of 20 kB', get('', `/v1/pets?${'x'.repeat(20_000)}`), 431],
  ['an address of 100 kB', get('Authorization: Bearer KEY\r\n', `/v1/pets/${'1'.repeat(100_000)}`), 431],
  ['15,000 segments', get('Authorization: Bearer KEY\r\n', `/v1${'/'.repeat(15_000)}`), 404],
  ['15 kB of a path that does not exist', get('Authorization: Bearer KEY\r\n', `/v1/${'a-'.repeat(7_500)}`), 404],
  ['a path value of 8 kB', get('Authorization: Bearer KEY\r\n', `/v1/pets/${'1'.repeat(8000)}`), 400],
  ['a path value of 8 kB that is no number', get('Authorization: Bearer KEY\r\n', `/v1/pets/${'a'.repeat(8000)}`), 400],
  ['CONNECT to an authority', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 405],
  ['CONNECT to a path', 'CONNECT /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  ['TRACE on an operation', get('Authorization: Bearer KEY\r\n', '/v1/pets', 'TRACE'), 405],
  ['TRACE without a key', get('', '/v1/pets', 'TRACE'), 401],
  ['TRACE on a page', get('', '/', 'TRACE'), 405],
  ['TRACE elsewhere', get('', '/nothing', 'TRACE'), 404],
  ['an unknown expectation', post('Expect: bogus\r\nContent-Length: 29\r\nAuthorization: Bearer KEY\r\n', PET), 417],
  ['an unknown expectation of a GET', get('Expect: 200-ok\r\n'), 417],
  ['100-continue and more', get('Expect: 100-continue, bogus\r\n'), 417],
  ['an unknown expectation without a Host', 'GET /v1/pets HTTP/1.1\r\nExpect: bogus\r\n\r\n', 400],
  [
    'a transfer coding before chunked',
    post('Transfer-Encoding: gzip, chunked\r\nAuthorization: Bearer KEY\r\n', '0\r\n\r\n'),
    501
  ],
  [
    'chunked twice',
    post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\nAuthorization: Bearer KEY\r\n', '0\r\n\r\n'),
    400
  ],
  ['Content-Length before a space', post('Content-Length : 29\r\nAuthorization: Bearer KEY\r\n', PET), 400],
  [
    'Transfer-Encoding before a space',
    post('Transfer-Encoding : chunked\r\nAuthorization: Bearer KEY\r\n', '0\r\n\r\n'),
    400
  ],
  [
    'a folded Transfer-Encoding',
    post('Transfer-Encoding:\r\n chunked\r\nAuthorization: Bearer KEY\r\n', '0\r\n\r\n'),
    400
  ],
  ['a folded Authorization', get('Authorization: Bearer\r\n KEY\r\n'), 400],
  ['a folded header behind a tab', get('Accept: a\r\n\tb\r\n'), 400],
  ['chunked with a comma', post('Transfer-Encoding: ,chunked\r\nAuthorization: Bearer KEY\r\n', '0\r\n\r\n'), 501],
  ['a Content-Length behind a NUL', post('Content-Length: 29\0\r\nAuthorization: Bearer KEY\r\n', PET), 400],
  ['a carriage return in the request line', 'GET /v1/pets\r HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  [
    'another transfer coding than chunked',
    post('Transfer-Encoding: gzip\r\nAuthorization: Bearer KEY\r\n', '0\r\n\r\n'),
    400
  ],
  ['identity as a transfer coding', post('Transfer-Encoding: identity\r\nAuthorization: Bearer KEY\r\n', PET), 400],
  [
    'chunked before another transfer coding',
    post('Transfer-Encoding: chunked, identity\r\nAuthorization: Bearer KEY\r\n', '0\r\n\r\n'),
    400
  ],
  [
    'chunked with a vertical tab',
    post('Transfer-Encoding: \x0bchunked\r\nAuthorization: Bearer KEY\r\n', '0\r\n\r\n'),
    400
  ],
  [
    'chunked in HTTP/1.0',
    `POST /v1/pets HTTP/1.0\r\nContent-Type: application/json\r\nAuthorization: Bearer KEY\r\nTransfer-Encoding: chunked\r\n\r\n1d\r\n${PET}\r\n0\r\n\r\n`,
    400
  ],
  [
    'Content-Length and Transfer-Encoding',
    post('Content-Length: 29\r\nTransfer-Encoding: chunked\r\nAuthorization: Bearer KEY\r\n', '0\r\n\r\n'),
    400
  ],
  [
    'Transfer-Encoding and Content-Length',
    post('Transfer-Encoding: chunked\r\nContent-Length: 29\r\nAuthorization: Bearer KEY\r\n', '0\r\n\r\n'),
    400
  ],
  [
    'two Content-Lengths that differ',
    post('Content-Length: 29\r\nContent-Length: 3\r\nAuthorization: Bearer KEY\r\n', PET),
    400
  ],
  [
    'two Content-Lengths that agree',
    post('Content-Length: 29\r\nContent-Length: 29\r\nAuthorization: Bearer KEY\r\n', PET),
    400
  ],
  ...['+29', '-1', '0x1d', '29, 29', '29 29', '1e1', '', '99999999999999999999999'].map(
    (length): [string, string, number] => [
      `the Content-Length ${JSON.stringify(length)}`,
      post(`Content-Length: ${length}\r\nAuthorization: Bearer KEY\r\n`, PET),
      400
    ]
  ),
  ['a chunk size that is no number', chunked(`zz\r\n${PET}\r\n0\r\n\r\n`), 400],
  ['a chunk size with 0x', chunked(`0x1d\r\n${PET}\r\n0\r\n\r\n`), 400],
  ['a chunk size below zero', chunked(`-1\r\n${PET}\r\n0\r\n\r\n`), 400],
  ['a chunk size beyond 64 bits', chunked(`fffffffffffffffff\r\n${PET}\r\n0\r\n\r\n`), 400],
  ['a chunk shorter than its size', chunked(`1e\r\n${PET}\r\n0\r\n\r\n`), 400],
  ['a chunk size behind a space', chunked(` 1d\r\n${PET}\r\n0\r\n\r\n`), 400],
  ['a chunk without a size', chunked(`\r\n${PET}\r\n0\r\n\r\n`), 400],
  ['a chunk extension with NUL', chunked(`1d;a=\0\r\n${PET}\r\n0\r\n\r\n`), 400],
  ['chunks without the empty line at their end', chunked(`1d\r\n${PET}\r\n0\r\nGET / HTTP/1.1\r\n\r\n`), 400],
  ['a chunk longer than its size', chunked(`5\r\n${PET}\r\n0\r\n\r\n`), 400],
  ['a chunk that ends in a line feed alone', chunked(`1d\n${PET}\n0\n\n`), 400],
  ['chunk extensions of 20 kB', chunked(`1d;${'x'.repeat(20_000)}\r\n${PET}\r\n0\r\n\r\n`), 413],
  ['201 chunks', chunked(`${'1\r\n \r\n'.repeat(201)}0\r\n\r\n`), 400],
  ['20,000 chunks that do not end', chunked('1\r\n \r\n'.repeat(20_000)), 400],
  ['20,000 chunks without a key', chunked('1\r\n \r\n'.repeat(20_000)).replace('KEY', 'none'), 400],
  ['trailers of 20 kB', chunked(`1d\r\n${PET}\r\n0\r\nX-T: ${'x'.repeat(20_000)}\r\n\r\n`), 431],
  ['percent-encoding that is cut off', get('', '/v1/pets/%'), 400],
  ['percent-encoding that is cut off, with a key', get('Authorization: Bearer KEY\r\n', '/v1/pets/%4'), 400],
  ['percent-encoding that is no number', get('', '/v1/pets/%zz'), 400],
  ['percent-encoding that is no number, with a key', get('Authorization: Bearer KEY\r\n', '/v1/pets/%zz'), 400],
  ['percent-encoding that is no UTF-8', get('Authorization: Bearer KEY\r\n', '/v1/pets/%ff'), 400],
  ['an overlong percent-encoding', get('Authorization: Bearer KEY\r\n', '/v1/pets/%c0%af'), 400],
  ['percent-encoding in the query that is no UTF-8', get('Authorization: Bearer KEY\r\n', '/v1/pets?limit=%ff'), 400],
  ['bad percent-encoding at the root', get('', '/%zz'), 400],
  ['a percent sign that is itself encoded', get('Authorization: Bearer KEY\r\n', '/v1/pets/%25zz'), 400],
  ['NUL in the path', get('Authorization: Bearer KEY\r\n', '/v1/pets/%00'), 400],
  ['bytes above 127 in the path', get('Authorization: Bearer KEY\r\n', '/v1/pets/\xff'), 400],
  ['a fragment in the target', get('Authorization: Bearer KEY\r\n', '/v1/pets#x'), 400],
  ['a fragment behind the query', get('Authorization: Bearer KEY\r\n', '/v1/pets?limit=1#x'), 400],
  ['an empty fragment', get('Authorization: Bearer KEY\r\n', '/v1/pets/1#'), 400],
  ['a fragment at the root', get('', '/healthz#x'), 400],
  ['a fragment in an absolute target', get('Authorization: Bearer KEY\r\n', 'http://x/v1/pets#limit=0'), 400],
  ['a body of 20 kB', post('Content-Length: 20000\r\nAuthorization: Bearer KEY\r\n', 'x'.repeat(20_000)), 413],
  ['a body of 20 kB in chunks', chunked(`4e20\r\n${'x'.repeat(20_000)}\r\n0\r\n\r\n`), 413],
  [
    'a body cut by a Content-Length that is too small',
    post('Content-Length: 5\r\nConnection: close\r\nAuthorization: Bearer KEY\r\n', PET),
    400
  ],
  ['an absolute target elsewhere', get('Authorization: Bearer KEY\r\n', 'http://x/nothing'), 404],
  ['an absolute target of another scheme', get('Authorization: Bearer KEY\r\n', 'ftp://x/v1/pets'), 400],
  ['an absolute target with a bad authority', get('Authorization: Bearer KEY\r\n', 'http://[x/v1/pets'), 400],
  ['an absolute target without a key', get('', 'http://x/v1/pets'), 401],
  ['an absolute target without an authority', get('', 'http:///x/healthz'), 400],
  ['an absolute target with user information', get('', 'http://u:p@x/healthz'), 400],
  ['an absolute target with a port beyond all', get('', 'http://x:99999/healthz'), 400],
  [
    'an absolute target with dots, which are as little resolved as in a path',
    get('', 'http://x/openapi/../healthz'),
    404
  ],
  ['an absolute target with encoded dots', get('', 'http://x/openapi/%2e%2e/healthz'), 404],
  ['the target *, which only OPTIONS may have', get('', '*'), 400],
  ['the target * with PUT', get('', '*', 'PUT'), 400],
  ['Upgrade without a key', get('Upgrade: websocket\r\n'), 401],
  ['an unknown path at the root', get('', '/nothing'), 404],
  ['an unknown path under the base path', get('Authorization: Bearer KEY\r\n', '/v1/nothing'), 404],
  ['a method that the path does not have', get('Authorization: Bearer KEY\r\n', '/v1/pets', 'DELETE'), 405]
]

t.test('every request that is not acceptable HTTP is refused with an Error and every header', async (t) => {
  const { lines, logger } = recordingLogger('warn')
  const service = await startService(t, { logger })
  const exchanges = await exchange(
    service,
    REFUSED.map(([title, bytes]) => [title, Buffer.from(bytes.replaceAll('KEY', service.key), 'latin1')])
  )
  for (const [index, { title, text, reply, ms }] of exchanges.entries()) {
    t.equal(reply.status, REFUSED[index]![2], title, { found: text.slice(0, 200) })
    t.equal(faultOf(reply), undefined, `${title}: an Error`)
    t.equal(reply.rest, '', `${title}: one answer`)
    t.ok(ms < 5_000, `${title}: at once`)
  }
  t.same(contentOf(await service.repositories.pets.list({ limit: 1 })), { items: [] }, 'and nothing was stored')
  t.same(lines, [], 'nor is it a fault of the service in its log')
})

t.test('no refusal repeats what was sent', async (t) => {
  const service = await startService(t)
  const secret = 'sauce-of-the-house'
  const requests = [
    get('', `/${secret}`),
    get('', `/v1/${secret}`),
    get('Authorization: Bearer KEY\r\n', `/v1/${secret}`),
    get('Authorization: Bearer KEY\r\n', `/v1/pets/${secret}`),
    get('', `/v1/pets/%zz${secret}`),
    get('', `ftp://${secret}/`),
    get('Authorization: Bearer KEY\r\n', `/v1/pets?limit=${secret}`),
    get('Authorization: Bearer KEY\r\n', `/v1/pets?cursor=${secret}`),
    get('Authorization: Bearer KEY\r\n', `/v1/pets?status=${secret}`),
    get(`Authorization: Bearer ${secret}\r\n`),
    get('', '/v1/pets', secret.toUpperCase()),
    `${secret} / HTTP/1.1\r\n\r\n`,
    get(`${secret}\r\n`),
    get(`Expect: ${secret}\r\n`),
    get(`Transfer-Encoding: ${secret}, chunked\r\n`),
    `CONNECT ${secret}:1 HTTP/1.1\r\nHost: ${secret}\r\n\r\n`,
    ...[
      `"${secret}"`,
      secret,
      `{"name":["${secret}"],"categoryId":"${secret}"}`,
      `{"name":"x","categoryId":1,"status":"${secret}"}`,
      `{"name":"${secret}`,
      `{"name":"${secret}\\ud800","categoryId":1}`,
      `{"name":"${secret}","name":"b"}`
    ].map((body) => post(`Connection: close\r\nContent-Length: ${body.length}\r\nAuthorization: Bearer KEY\r\n`, body)),
    post('Connection: close\r\nContent-Length: 0\r\nAuthorization: Bearer KEY\r\n').replace('application/json', secret)
  ]
  for (const { title, text, reply } of await exchange(
    service,
    requests.map((request) => [request, request.replaceAll('KEY', service.key)])
  )) {
    t.equal(faultOf(reply), undefined, title)
    t.notMatch(text.toLowerCase(), secret, title)
    t.notMatch(reply.body, /\bat \S+[:(]|node_modules|\.[jt]s\b|Error:/, 'nor where it was refused')
  }
})
