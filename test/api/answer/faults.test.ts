import t from 'tap'
import { startMock } from '../../support/mock.js'
import { startService, type Call } from '../../support/service.js'

const PREFER = { prefer: 'errors' }

/** Requests that are not valid, and the places of what is wrong with them. */
const INVALID: [method: string, path: string, call: Call, places: object[]][] = [
  ['POST', '/pets', { body: {} }, [{ in: 'body', pointer: '/name' }, { in: 'body', pointer: '/categoryId' }]],
  ['POST', '/pets', { body: { name: '', categoryId: '7', 'a/b': 1, stauts: 2, id: 3, more: 4 } }, [
    // Five at most, as in the message.
    { in: 'body', pointer: '/a~1b' },
    { in: 'body', pointer: '/stauts' },
    { in: 'body', pointer: '/id' },
    { in: 'body', pointer: '/more' },
    { in: 'body', pointer: '/name' }
  ]],
  ['POST', '/pets', { body: [] }, [{ in: 'body', pointer: '' }]],
  ['POST', '/pets', { raw: '' }, [{ in: 'body', pointer: '' }]],
  ['POST', '/pets', { raw: '{"name":' }, [{ in: 'body', pointer: '' }]],
  ['POST', '/pets', { raw: '{"name":"a","name":"b","categoryId":1}' }, [{ in: 'body', pointer: '/name' }]],
  ['POST', '/pets', { body: { name: 'Rex', categoryId: 7 }, headers: { 'idempotency-key': 'a"' } }, [
    { in: 'header', name: 'Idempotency-Key' }
  ]],
  ['GET', '/pets?limit=abc&stauts=sold', {}, [{ in: 'query', name: 'stauts' }, { in: 'query', name: 'limit' }]],
  ['GET', '/pets?limit=5&limit=6', {}, [{ in: 'query', name: 'limit' }]],
  ['GET', '/pets?cursor=Mg', {}, []],
  ['GET', '/pets?cursor=no', {}, [{ in: 'query', name: 'cursor' }]],
  ['GET', '/pets/abc', {}, [{ in: 'path', name: 'petId' }]],
  ['PATCH', '/inventory/1', { body: { quantity: -1 } }, [{ in: 'body', pointer: '/quantity' }]]
]

for (const [of, start] of [['service', startService], ['mock', startMock]] as const) {
  t.test(`${of}: a 400 lists each value that is wrong to a caller that prefers errors`, async (t) => {
    const { call } = await start(t)
    for (const [method, path, options, places] of INVALID) {
      const title = `${method} ${path} ${JSON.stringify(options)}`
      const headers = { ...options.headers, ...PREFER }
      const reply = await call(method, path, { ...options, headers })
      if (places.length === 0) {
        t.equal(reply.status, 200, title)
        continue
      }
      const { code, message, status, errors, ...others } = reply.json
      t.same({ code, status, others }, { code: 'bad_request', status: 400, others: {} }, title)
      t.same(errors.map(({ message: _, ...place }: { message: string }) => place), places, title)
      const clauses = errors.map((fault: { message: string }) => fault.message)
      const sentences: string[] = message.split(/(?<=\.) (?=[A-Z])/)
      t.ok(clauses.every((clause: string, index: number) => sentences[index]!.endsWith(` ${clause}.`)), `${title}: ${message}`)
      t.equal(sentences.length - clauses.length, sentences.at(-1)!.startsWith('And ') ? 1 : 0, title)
      t.equal(reply.headers.get('preference-applied'), 'errors', title)
    }
  })

  t.test(`${of}: a caller that does not prefer them gets three properties`, async (t) => {
    const { call } = await start(t)
    const preferences = ['', 'return=minimal', 'error', 'no-errors', 'errorset']
    for (const prefer of preferences) {
      const { status, json, headers } = await call('POST', '/pets', {
        body: {},
        headers: prefer === '' ? {} : { prefer }
      })
      t.equal(status, 400)
      t.same(Object.keys(json), ['code', 'message', 'status'], prefer)
      t.equal(headers.get('preference-applied'), null, prefer)
    }
  })

  t.test(`${of}: the preference may stand among others, in any case`, async (t) => {
    const { call } = await start(t)
    for (const prefer of ['ERRORS', 'return=minimal, errors', 'errors; a=b, wait=1', 'respond-async,errors ']) {
      t.equal((await call('POST', '/pets', { body: {}, headers: { prefer } })).json.errors.length, 2, prefer)
    }
  })

  t.test(`${of}: other refusals have no list, whatever is preferred`, async (t) => {
    const { call } = await start(t, of === 'mock' ? { requireKey: true } : {})
    const refused: [method: string, path: string, call: Call, status: number][] = [
      ['GET', '/pets', { key: '' }, 401],
      ['GET', '/nothing', { key: 'any' }, 404],
      ['PUT', '/pets', { key: 'any' }, 405]
    ]
    for (const [method, path, options, expected] of refused) {
      const { key, ...others } = options
      const given = of === 'service' && key === 'any' ? others : options
      const { status, json } = await call(method, path, { ...given, headers: PREFER })
      t.equal(status, expected)
      t.same(Object.keys(json), ['code', 'message', 'status'], `${method} ${path}`)
    }
  })
}
