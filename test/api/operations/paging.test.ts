import t from 'tap'
import { operationsOf } from '../../../src/contract/operation/operation.js'
import { encodeCursor } from '../../../src/domain/pages.js'
import { document, startService } from '../../support/service.js'

/** Every list: how its items are made, what tells them apart, and a query that leaves none of them out. */
const LISTS: [path: string, query: string, make: string, body: (number: number) => object, id: string][] = [
  ['/pets', 'status=sold', '/pets', (number) => ({ name: `Pet ${number}`, categoryId: 1, status: 'sold' }), 'id'],
  ['/categories', '', '/categories', (number) => ({ name: `Category ${number}` }), 'id'],
  ['/store/orders', '', '/store/orders', () => ({ petId: 1 }), 'id'],
  [
    '/inventory',
    'status=pending',
    '/pets',
    (number) => ({ name: `Pet ${number}`, categoryId: 1, status: 'pending' }),
    'petId'
  ]
]

for (const [path, filter, make, body, id] of LISTS) {
  t.test(
    `GET ${path} gives at most limit items, and Link rel="next" leads through every one once, with the same query`,
    async (t) => {
      const { call } = await startService(t)
      t.equal((await call('GET', path)).text, '[]')
      if (make === '/store/orders') {
        await call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
        await call('PATCH', '/inventory/1', { body: { quantity: 100 } })
      }
      for (let number = 1; number <= 25; number++) await call('POST', make, { body: body(number) })
      const ids = async (query: string) => {
        const { json, headers } = await call('GET', `${path}?${query}`)
        const [, address, next] = /^<([^?]*)\?([^>]*)>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
        return { ids: json.map((item: Record<string, number>) => item[id]), address, next }
      }
      const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
      t.same((await ids('')).ids, range(1, 20), 'the default limit')
      t.same(
        await ids('limit=25'),
        { ids: range(1, 25), address: undefined, next: undefined },
        'a page that ends with the last item has no next page'
      )

      const pages: number[][] = []
      for (let query: string | undefined = `${filter ? `${filter}&` : ''}limit=10`; query !== undefined;) {
        const page = await ids(query)
        pages.push(page.ids)
        query = page.next
        if (query === undefined) break
        t.equal(page.address, '', 'relative to the address of the page')
        t.match(query, new RegExp(`^limit=10&${filter ? `${filter}&` : ''}cursor=[\\w-]+$`))
      }
      t.same(pages, [range(1, 10), range(11, 20), range(21, 25)])
    }
  )
}

t.test('the document allows every cursor that a list may give', (t) => {
  const cursors = operationsOf(document).flatMap(({ parameters }) => parameters.filter(({ name }) => name === 'cursor'))
  const patterns = new Set(cursors.map(({ schema }) => schema!.pattern as string))
  t.equal(patterns.size, 1)
  const pattern = new RegExp([...patterns][0]!)
  const positions = Array.from({ length: 15 }, (_, digits) => [10 ** digits, 10 ** (digits + 1) - 1]).flat()
  for (const position of [...positions, 10 ** 15, Number.MAX_SAFE_INTEGER]) {
    t.match(encodeCursor(position), pattern, String(position))
  }
  for (const text of ['0', '01', '-1', '1.5', 'a', '']) t.notMatch(Buffer.from(text).toString('base64url'), pattern, text)
  t.end()
})
