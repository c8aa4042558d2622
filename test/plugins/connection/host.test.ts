import t from 'tap'
import { parseReply, sendRaw } from '../../../scripts/http/raw.js'
import { exchange, faultOf } from '../../../scripts/http/refusal.js'
import { isHost } from '../../../src/plugins/connection/host.js'
import { get } from '../../api/connection/messages.js'
import { startService } from '../../support/service.js'

const HOSTS = [
  'x',
  'api.example.com',
  'API.Example.com:443',
  'x:',
  'x:0',
  'x:65535',
  'my_service:3000',
  'web-1.',
  'a~b',
  'ex%41mple.com',
  'xn--bcher-kva.example',
  '127.0.0.1:3000',
  '[::1]',
  '[::1]:3000',
  '[2001:DB8::192.0.2.1]:80',
  'x'.repeat(255)
]
const OTHERS = [
  '',
  ':80',
  ' ',
  'a b',
  'a\tb',
  'x/y',
  'x\\y',
  'x?y',
  'x#y',
  'u@x',
  'u:p@x',
  '@x',
  'a,b',
  'a, b',
  'a;b',
  '"x"',
  '\'',
  '<x>',
  'a*b',
  'a|b',
  '%',
  '%4',
  '%zz',
  'x:y',
  'x:-1',
  'x:+1',
  'x:65536',
  'x:99999',
  'x:1e3',
  'x:80:80',
  'x::80',
  '::1',
  '[::1',
  '::1]',
  '[]',
  '[x]',
  '[1.2.3.4]',
  '[::1]x',
  '[::1]]',
  '[:::1]',
  '[fe80::1%25eth0]',
  '[v1.x]',
  'http://x',
  '\xe9',
  'x\0',
  'x\n',
  'x'.repeat(256)
]

t.test('a host is a name or an address with an optional port, at most 255 bytes', async (t) => {
  for (const text of HOSTS) t.equal(isHost(text), true, text)
  for (const text of OTHERS) t.equal(isHost(text), false, JSON.stringify(text))
})

t.test('an invalid Host is refused, whatever the request, before anything else reads it', async (t) => {
  const service = await startService(t)
  const preflight = 'Origin: https://shop.example\r\nAccess-Control-Request-Method: GET\r\n'
  const requests = [
    get(),
    get('', '/v1/pets', 'HEAD'),
    get('', '/v1/pets', 'OPTIONS'),
    get(preflight, '/v1/pets', 'OPTIONS'),
    get('', '*', 'OPTIONS'),
    get('', '/healthz'),
    get('', '/guide'),
    get('', '/nothing'),
    get('', 'http://shop.example/healthz'),
    get('', '/healthz').replace('HTTP/1.1', 'HTTP/1.0'),
    'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'
  ]
  for (const host of ['a b', 'x/y', 'u@x', '[::1', 'x:99999', 'a,b', '%zz', ':80', 'x'.repeat(256)]) {
    for (const { title, reply } of await exchange(
      service,
      requests.map((request) => [request, request.replace('Host: x', `Host: ${host}`)])
    )) {
      t.equal(reply.status, 400, `${host}: ${title}`)
      if (!title.startsWith('HEAD')) t.equal(faultOf(reply), undefined, `${host}: ${title}`)
    }
  }
})

t.test('the host of an absolute target is validated too, and counts instead of the Host header', async (t) => {
  const { port } = await startService(t)
  const markdown = async (target: string, host: string) =>
    parseReply(await sendRaw(port, get('', target).replace('Host: x', host)))
  for (const authority of ['a,b', '%zz', 'x:99999', 'u@x', '', ':80', '[::1', 'x'.repeat(256)]) {
    t.equal((await markdown(`http://${authority}/guide`, 'Host: x')).status, 400, authority)
  }
  for (const host of ['Host: x', 'Host:']) {
    const { status, body } = await markdown('http://shop.example:8080/guide', host)
    t.equal(status, 200)
    t.match(body, 'http://shop.example:8080/v1/pets')
    t.notMatch(body, 'http://x/')
  }
})

t.test('the 405 of CONNECT lists the methods of the server', async (t) => {
  const { port } = await startService(t)
  const { status, headers } = parseReply(await sendRaw(port, 'CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n'))
  t.same([status, headers.allow], [405, 'GET, HEAD, OPTIONS, POST, DELETE, PATCH'])
})
