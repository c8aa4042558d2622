import t from 'tap'
import { startService } from '../../support/service.js'

t.test('GET /pets without parameters gives at most 20 animals, in id order', async (t) => {
  const { call } = await startService(t)
  for (let i = 1; i <= 25; i++) await call('POST', '/pets', { body: { name: `Pet ${i}`, categoryId: i } })
  const { status, json } = await call('GET', '/pets')
  t.equal(status, 200)
  t.same(
    json.map(({ id }: { id: number }) => id),
    Array.from({ length: 20 }, (_, index) => index + 1)
  )
})

t.test('status filters by availability status; an animal without one is in no such list', async (t) => {
  const { call } = await startService(t)
  for (const status of ['available', 'pending', 'sold', undefined]) {
    await call('POST', '/pets', { body: { name: 'Pet', categoryId: 1, status } })
  }
  for (const [index, status] of ['available', 'pending', 'sold'].entries()) {
    const { json } = await call('GET', `/pets?status=${status}`)
    t.same(json, [{ id: index + 1, name: 'Pet', categoryId: 1, status }])
  }
  t.equal((await call('GET', '/pets')).json.length, 4)
})

t.test('a query parameter that is not as declared is a 400 that names it', async (t) => {
  const { call } = await startService(t)
  const wanted: [query: string, message: string][] = [
    ['limit=0', "Query parameter 'limit' must be at least 1."],
    ['limit=101', "Query parameter 'limit' must be at most 100."],
    ['limit=-1', "Query parameter 'limit' must be at least 1."],
    ...[
      'limit=',
      'limit=abc',
      'limit=1.5',
      'limit=1e1',
      'limit=0x10',
      'limit=%205',
      'limit=+5',
      'limit=05',
      'limit=-0x1',
      'limit[]=5',
      'limit=null',
      'limit=1_0',
      'limit=٣'
    ].map((query): [string, string] => [
      query,
      query.startsWith('limit[]')
        ? "Query parameter 'limit[]' is not known."
        : "Query parameter 'limit' must be an integer."
    ]),
    ['limit=5&limit=6', "Query parameter 'limit' may be given only once."],
    ['status=sold&status=sold', "Query parameter 'status' may be given only once."],
    ['status=lost', "Query parameter 'status' must be one of: available, pending, sold."],
    ['status=', "Query parameter 'status' must be one of: available, pending, sold."],
    ['status=Sold', "Query parameter 'status' must be one of: available, pending, sold."],
    ['stauts=sold', "Query parameter 'stauts' is not known."],
    ['__proto__=1', "Query parameter '__proto__' is not known."],
    ['constructor=1', "Query parameter 'constructor' is not known."],
    ['toString=1', "Query parameter 'toString' is not known."],
    ['hasOwnProperty=1', "Query parameter 'hasOwnProperty' is not known."],
    ['__proto__[x]=1', "Query parameter '__proto__[x]' is not known."],
    ['constructor[prototype][x]=1', "Query parameter 'constructor[prototype][x]' is not known."],
    ['limit[gt]=1&limit.x=2', "Query parameter 'limit[gt]' is not known. Query parameter 'limit.x' is not known."],
    [
      'limit=0&status=lost&page=2',
      "Query parameter 'page' is not known. Query parameter 'limit' must be at least 1. Query parameter 'status' must be one of: available, pending, sold."
    ],
    ['cursor=', "Query parameter 'cursor' must have at least 1 character."],
    ...['garbage!', 'MA', 'LTE', 'MS41', 'MQ==', 'OTAwNzE5OTI1NDc0MDk5Mw', '_'].map((cursor): [string, string] => [
      `cursor=${cursor}`,
      "Query parameter 'cursor' must be taken from the Link header of another page."
    ]),
    [`cursor=${'x'.repeat(65)}`, "Query parameter 'cursor' must have at most 64 characters."]
  ]
  // Each twice, since the second request with a query may be answered from what is known of it.
  for (const [query, message] of [...wanted, ...wanted]) {
    const { status, json } = await call('GET', `/pets?${query}`)
    t.same({ status, json }, { status: 400, json: { code: 'bad_request', message, status: 400 } }, query)
  }
})

t.test('HEAD answers as GET does, without the body', async (t) => {
  const { call } = await startService(t)
  await call('POST', '/pets', { body: { name: 'Rex', categoryId: 7 } })
  const get = await call('GET', '/pets')
  const head = await call('HEAD', '/pets')
  t.equal(head.status, 200)
  t.equal(head.text, '')
  for (const name of ['content-type', 'content-length', 'x-ratelimit-limit']) {
    t.equal(head.headers.get(name), get.headers.get(name), name)
  }
})
