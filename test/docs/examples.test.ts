import fastify from 'fastify'
import t from 'tap'
import { declarationOf } from '../../scripts/compatibility/changelog.js'
import { breakingChanges } from '../../scripts/compatibility/document.js'
import { resolve } from '../../src/contract/document/reference.js'
import { blocksOf, textOf } from '../support/documents.js'
import { document, startService } from '../support/service.js'

const api = textOf('docs/api.md')

t.test('the deprecation headers that the documents show are those of the service', async (t) => {
  const { call } = await startService(t)
  const { headers } = await call('GET', '/pets/1')
  for (const name of ['Deprecation', 'Sunset', 'Link']) t.match(api, `${name}: ${headers.get(name)}`)
})

t.test('the lines of a page that the README shows stand in that page', async (t) => {
  const blocks = blocksOf(textOf('README.md'), 'ts').filter((code) => code.includes('useInfiniteQuery'))
  t.equal(blocks.length, 1)
  t.ok(textOf('test/consumer/web/src/petstore.ts').includes(blocks[0]!))
})

t.test('the client that the documents show waits as long as it is told, and longer each time', async (t) => {
  const [code] = blocksOf(api, 'js')
  const { call } = (await import(`data:text/javascript,${encodeURIComponent(code!)}`)) as {
    call: (url: string, options: object, more: object) => Promise<Response>
  }
  const { root, clock, makeKey } = await startService(t)
  const { secret } = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 2 })
  const waits: number[] = []
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds)
    clock.advance(milliseconds)
  }
  const options = { headers: { authorization: `Bearer ${secret}` } }
  clock.set('2026-03-04T10:20:57.500Z')
  for (let i = 0; i < 2; i++) t.equal((await call(`${root}/v1/pets`, options, { sleep })).status, 200)
  t.same(waits, [3_000], 'as long as Retry-After says')

  const refusing = fastify()
  refusing.get('/', async (_request, reply) => reply.code(503).send())
  t.teardown(() => refusing.close())
  waits.length = 0
  const refused = await call(await refusing.listen({ host: '127.0.0.1', port: 0 }), {}, { sleep })
  t.equal(refused.status, 503, 'it gives up in the end')
  t.equal(waits.length, 4)
  for (const [index, wait] of waits.entries()) {
    t.ok(wait >= 1_000 * 2 ** index && wait <= 1_500 * 2 ** index, `wait ${index + 1}: ${Math.round(wait)} ms`)
  }
})

t.test('the limit headers that the documents show are those of a first call on the plan free', async (t) => {
  const { call, clock, makeKey } = await startService(t)
  const { secret: key } = await makeKey()
  clock.set('2026-03-04T10:20:00Z')
  const { headers } = await call('GET', '/pets', { key })
  for (const name of [
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'RateLimit-Policy',
    'RateLimit'
  ]) {
    t.match(api, `${name}: ${headers.get(name)}\n`)
  }
})

t.test('the breaking change that the documents show is declared like that', async (t) => {
  const changed = structuredClone(document)
  const { parameters } = changed.paths!['/pets']!.get!
  const { value: limit } = resolve(document, { value: parameters![0]!, pointer: '' })
  parameters![0] = { ...limit, schema: { ...limit.schema, maximum: 50 } }
  for (const change of breakingChanges(document, changed, new Date())) {
    t.match(textOf('CONTRIBUTING.md'), `\n${declarationOf(change)}\n`)
  }
})
