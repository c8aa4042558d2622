import t from 'tap'
import { parseReply, sendRaw } from '../../../scripts/http/raw.js'
import { recordingLogger } from '../../support/log.js'
import { startService, type Service } from '../../support/service.js'
import { get } from './messages.js'

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

t.test('X-Forwarded-Proto and -Host of a trusted proxy are where the service is, if they are valid', async (t) => {
  const [behind, open] = [await startService(t, { trustProxy: ['127.0.0.1'] }), await startService(t)]
  const addressIn = async ({ port }: Service, headers: string) => {
    const { status, body } = parseReply(await sendRaw(port, get(headers, '/guide')))
    t.equal(status, 200)
    return /(\S*)\/v1\/pets/.exec(body)?.[1]
  }
  const forwarded: [headers: string, address: string][] = [
    ['', 'http://x'],
    ['X-Forwarded-Proto: https\r\nX-Forwarded-Host: shop.example:8443\r\n', 'https://shop.example:8443'],
    ['X-Forwarded-Proto: http, https\r\nX-Forwarded-Host: evil.example, shop.example\r\n', 'https://shop.example'],
    ['X-Forwarded-Host: evil.example\r\nX-Forwarded-Host: [::1]:80\r\n', 'http://[::1]:80'],
    ...['javascript', 'https:', 'https, ', '', 'ftp', 'http s', 'https://evil.example/'].map(
      (scheme): [string, string] => [`X-Forwarded-Proto: ${scheme}\r\n`, 'http://x']
    ),
    ...['', 'u@evil.example', 'evil.example/x', 'evil.example, ', '%zz', '[::1', '"'.repeat(15_500), 'x'.repeat(256)].map(
      (host): [string, string] => [`X-Forwarded-Host: ${host}\r\n`, 'http://x']
    )
  ]
  for (const [headers, address] of forwarded) {
    t.equal(await addressIn(behind, headers), address, headers.slice(0, 80))
    t.equal(await addressIn(open, headers), 'http://x', 'not believed of others')
  }
})
