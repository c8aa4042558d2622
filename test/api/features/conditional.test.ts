import t from 'tap'
import { parseReply, sendRaw } from '../../../scripts/http/raw.js'
import { operationsOf } from '../../../src/contract/operation/operation.js'
import { document, startService, type Service } from '../../support/service.js'

const rex = { name: 'Rex', categoryId: 7, status: 'available' }
const get = ({ call }: Service, path: string, tag?: string | null, method = 'GET') =>
  call(method, path, { headers: tag ? { 'if-none-match': tag } : {} })

t.test('every GET of the document declares its ETag, If-None-Match and 304', async (t) => {
  for (const { operationId, method, parameters, responses } of operationsOf(document)) {
    if (method !== 'get') continue
    t.ok(
      parameters.some((parameter) => parameter.in === 'header' && parameter.name === 'If-None-Match'),
      operationId
    )
    t.ok(responses.get('304')?.headers?.ETag && responses.get('200')?.headers?.ETag, operationId)
  }
})

t.test('an answer has the same ETag as long as it is the same', async (t) => {
  const service = await startService(t)
  const tagOf = async (path: string, method?: string) =>
    (await get(service, path, undefined, method)).headers.get('etag')
  const empty = await tagOf('/pets')
  t.match(empty, /^"[\w-]{43}"$/)
  t.equal(await tagOf('/pets'), empty)
  t.equal(await tagOf('/pets', 'HEAD'), empty, 'HEAD says the same')
  await service.call('POST', '/pets', { body: rex })
  const one = await tagOf('/pets')
  t.not(one, empty)
  t.equal(await tagOf('/pets?status=available'), one)
  t.not(await tagOf('/pets/1'), one)
})

t.test('who has the answer gets 304 without it, with every other header, and is counted', async (t) => {
  const service = await startService(t)
  for (let index = 0; index < 2; index++) await service.call('POST', '/pets', { body: rex })
  const { secret: key } = await service.makeKey()
  for (const path of ['/pets', '/pets?limit=1', '/pets/1']) {
    for (const method of ['GET', 'HEAD']) {
      const full = await service.call(method, path, { key, headers: { origin: 'https://shop.example' } })
      const headers = { origin: 'https://shop.example', 'if-none-match': full.headers.get('etag')! }
      const { status, text, headers: seen } = await service.call(method, path, { key, headers })
      t.same([status, text], [304, ''], `${method} ${path}`)
      t.equal(Number(seen.get('x-ratelimit-remaining')), Number(full.headers.get('x-ratelimit-remaining')) - 1)
      const lacking = [...full.headers.keys()].filter((name) => !seen.has(name))
      t.same(
        lacking.filter((name) => !['content-type', 'content-length'].includes(name)),
        [],
        'the headers of the 200'
      )
      t.equal(seen.get('link'), full.headers.get('link'))
    }
  }
})

t.test(
  'a page is another one when the page behind it comes or goes, so that nobody keeps a Link that no longer holds',
  async (t) => {
    const service = await startService(t)
    for (let index = 0; index < 3; index++) await service.call('POST', '/pets', { body: rex })
    await service.call('POST', '/store/orders', { body: { petId: 1 } })
    const alone = await get(service, '/store/orders?limit=1')
    t.equal(alone.headers.get('link'), null)
    await service.call('POST', '/store/orders', { body: { petId: 2 } })
    const followed = await get(service, '/store/orders?limit=1', alone.headers.get('etag'))
    t.equal(followed.status, 200)
    t.same([followed.text, followed.headers.has('link')], [alone.text, true])
    await service.call('DELETE', '/store/orders/2')
    const last = await get(service, '/store/orders?limit=1', followed.headers.get('etag'))
    t.same([last.status, last.headers.get('link'), last.headers.get('etag')], [200, null, alone.headers.get('etag')])
  }
)

t.test('a 304 ends after its headers, and the connection goes on', async (t) => {
  const { port, key, call } = await startService(t)
  const tag = (await call('GET', '/pets')).headers.get('etag')
  const request = (method: string, more = '') =>
    `${method} /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nIf-None-Match: ${tag}\r\n${more}\r\n`
  let text = await sendRaw(port, request('GET') + request('HEAD') + request('GET', 'Connection: close\r\n'))
  for (const method of ['GET', 'HEAD', 'GET']) {
    const { status, headers } = parseReply(text)
    t.equal(status, 304, method)
    t.equal(
      headers['content-length'],
      method === 'HEAD' ? '2' : undefined,
      'a length is that of the 200 (RFC 9110, section 8.6)'
    )
    text = text.slice(text.indexOf('\r\n\r\n') + 4)
  }
  t.equal(text, '')
})

t.test('If-None-Match is a list that is compared weakly, or *', async (t) => {
  const service = await startService(t)
  const tag = (await get(service, '/pets')).headers.get('etag')!
  const bare = tag.slice(1, -1)
  const matching = [
    tag,
    `W/${tag}`,
    `"x", ${tag}`,
    `"x",W/"y" ,  W/${tag},"z"`,
    `"a, b", ${tag}`,
    '*',
    ' * ',
    `${tag}, `
  ]
  const others = [
    '"x"',
    'W/"x"',
    '"x", "y"',
    bare,
    `'${bare}'`,
    '""',
    '',
    '"',
    `"${bare}`,
    `"${bare.toLowerCase()}"`,
    '"*"',
    `"x${bare}"`,
    'x'.repeat(8_000),
    '"'.repeat(8_000)
  ]
  for (const condition of matching) t.equal((await get(service, '/pets', condition)).status, 304, condition)
  for (const condition of others) t.equal((await get(service, '/pets', condition)).status, 200, condition.slice(0, 60))
})

t.test('a browser may keep what it can ask for again, and nothing else', async (t) => {
  const service = await startService(t)
  const { headers } = await get(service, '/pets')
  t.equal(headers.get('cache-control'), 'private, no-cache')
  t.equal((await get(service, '/pets', headers.get('etag'))).headers.get('cache-control'), 'private, no-cache')
  for (const path of ['/pets/9', '/pets?limit=0', '/nope']) {
    const answer = await get(service, path, '*')
    t.ok(answer.status >= 400, `${path}: a condition does not hide an error`)
    t.same([answer.headers.get('etag'), answer.headers.get('cache-control')], [null, 'no-store'], path)
  }
  const made = await service.call('POST', '/pets', { body: rex })
  t.same([made.status, made.headers.get('etag'), made.headers.get('cache-control')], [201, null, 'no-store'])
  t.equal((await service.call('GET', '/pets', { key: undefined, headers: { 'if-none-match': '*' } })).status, 401)
  const { headers: page } = await service.fetch('GET', '/openapi.json', { headers: { 'if-none-match': '*' } })
  t.equal(page.get('etag'), null, 'nor does it touch what is no operation')
})
