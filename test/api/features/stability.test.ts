import t from 'tap'
import { readDocument } from '../../../src/contract/document/document.js'
import { startMock } from '../../support/mock.js'
import { source, startService } from '../../support/service.js'

const mark = (text: string, operationId: string, stability: string) =>
  text.replace(`operationId: ${operationId}\n`, (line) => `${line}      x-stability: ${stability}\n`)
/** The document with marks of this test alone. */
const plain = source.replaceAll(/^ +x-stability: .*\n/gm, '')
const marked = mark(mark(plain, 'createPet', 'experimental'), 'getPet', 'beta')

t.test('every answer of an operation says how stable it is, errors too; others say nothing', async (t) => {
  const { call, makeKey } = await startService(t, { source: marked })
  const { secret: key } = await makeKey({ scopes: ['store:read'] })
  const body = { name: 'Rex', categoryId: 7 }
  const wanted: [stability: string | null, status: number, method: string, path: string, options?: object][] = [
    ['experimental', 201, 'POST', '/pets', { body }],
    ['experimental', 400, 'POST', '/pets', { body: {} }],
    ['experimental', 401, 'POST', '/pets', { body, key: 'wrong' }],
    ['experimental', 403, 'POST', '/pets', { body, key }],
    ['experimental', 413, 'POST', '/pets', { raw: ' '.repeat(20_000) }],
    ['experimental', 415, 'POST', '/pets', { raw: '{}', headers: { 'content-type': 'text/plain' } }],
    ['beta', 200, 'GET', '/pets/1'],
    ['beta', 200, 'HEAD', '/pets/1'],
    ['beta', 304, 'GET', '/pets/1', { headers: { 'if-none-match': '*' } }],
    ['beta', 404, 'GET', '/pets/9'],
    [null, 200, 'GET', '/pets'],
    [null, 405, 'DELETE', '/pets'],
    [null, 404, 'GET', '/nope']
  ]
  for (const [stability, status, method, path, options] of wanted) {
    const { status: found, headers } = await call(method, path, options)
    t.same([found, headers.get('x-stability')], [status, stability], `${method} ${path}`)
  }
})

t.test('EXPERIMENTAL=off: an experimental operation is a method that its path does not have', async (t) => {
  const { call } = await startService(t, { source: marked, experimental: false })
  const { status, headers } = await call('POST', '/pets', { body: { name: 'Rex', categoryId: 7 } })
  t.same([status, headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
  t.equal((await call('OPTIONS', '/pets')).headers.get('allow'), 'GET, HEAD, OPTIONS')
  t.equal((await call('GET', '/pets')).status, 200)
  t.equal((await call('GET', '/pets/1')).headers.get('x-stability'), 'beta')
})

t.test('EXPERIMENTAL=off: a path that has no other operation does not exist', async (t) => {
  const { fetch, key } = await startService(t, { source: mark(plain, 'getPet', 'experimental'), experimental: false })
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) {
    t.equal((await fetch(method, '/v1/pets/1', { key })).status, 404, method)
  }
  t.equal((await fetch('GET', '/v1/pets/1')).status, 401, 'as any unknown path')
  t.equal((await fetch('GET', '/v1/pets', { key })).status, 200)
})

t.test('the document that is served has what is served', async (t) => {
  const on = await startService(t, { source: marked })
  t.equal((await on.fetch('GET', '/openapi.yaml')).text, marked)
  t.ok((await on.fetch('GET', '/openapi.json')).json.paths['/pets'].post)
  const off = await startService(t, { source: marked, experimental: false })
  t.notMatch((await off.fetch('GET', '/openapi.yaml')).text, /operationId: createPet/)
  for (const path of ['/openapi.json']) {
    t.same(Object.keys((await off.fetch('GET', path)).json.paths['/pets']), ['get'], path)
  }
  const nothing = await startService(t, { source: plain, experimental: false })
  t.equal((await nothing.fetch('GET', '/openapi.yaml')).text, plain, 'byte for byte when nothing is experimental')
})

t.test('the mock says and hides the same', async (t) => {
  const on = await startMock(t, { source: marked, document: await readDocument(marked) })
  t.equal(
    (await on.call('POST', '/pets', { body: { name: 'Rex', categoryId: 7 } })).headers.get('x-stability'),
    'experimental'
  )
  const off = await startMock(t, { source: marked, document: await readDocument(marked), experimental: false })
  t.equal((await off.call('POST', '/pets', { body: { name: 'Rex', categoryId: 7 } })).status, 405)
  t.notMatch((await off.fetch('GET', '/openapi.yaml')).text, /operationId: createPet/)
})
