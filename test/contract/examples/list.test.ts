import t from 'tap'
import { listPagesOf } from '../../../src/contract/examples/list.js'
import { Schemas } from '../../../src/contract/document/schemas.js'
import { operationsOf } from '../../../src/contract/operation/operation.js'
import { read } from '../books.js'

const BOOKS = [
  { id: 1, title: 'Emma', tags: ['novel', 'irony'], lent: false },
  { id: 2, title: 'Ulysses', tags: ['novel'] },
  { id: 3, title: 'Faust', tags: ['drama'], lent: true }
]
const text = { type: 'string' }
const tags = { type: 'array', items: text }
const [limit, cursor, title, lent, translator] = ['limit', 'cursor', 'title', 'lent', 'translator'].map((name) => ({
  name,
  in: 'query',
  schema: text
}))

/** Gives the pages of `GET /books` with these parameters, whose items have a property that no example has. */
async function pagesOf (parameters: unknown[]) {
  const items = { type: 'object', properties: { translator: text } }
  const document = await read({
    paths: {
      '/books': {
        get: {
          operationId: 'listBooks',
          parameters,
          responses: {
            200: { description: 'Books.', content: { 'application/json': { schema: { type: 'array', items } } } }
          }
        }
      }
    }
  })
  return listPagesOf(new Schemas(document), operationsOf(document)[0]!)
}

/** Gives the ids of a page, and the query of the one after it. */
function shown ({ items, headers }: ReturnType<Awaited<ReturnType<typeof pagesOf>>>): [unknown[], string?] {
  const ids = items.map((item) => (item as { id: number }).id)
  if (!headers.Link) return [ids]
  const [, query] = /^<\?(\S+)>; rel="next"$/.exec(headers.Link)!
  return [ids, query!]
}

t.test('a query filters by the properties that it names, and by no others', async (t) => {
  const pageOf = await pagesOf([limit, cursor, title, lent, translator, { ...title, name: 'search' }])
  for (const [query, ids] of [
    [{}, [1, 2, 3]],
    [{ title: 'Emma' }, [1]],
    [{ lent: true }, [3]],
    [{ lent: false }, [1]],
    [{ id: 3n }, [3]],
    [{ tags: ['irony', 'drama'] }, [1, 3]],
    [{ tags: 'novel', lent: false }, [1]],
    [{ translator: 'Any' }, []],
    [{ search: 'Emma' }, [1, 2, 3]]
  ] as const) {
    t.same(shown(pageOf(BOOKS, query)), [ids], JSON.stringify(Object.entries(query).map(String)))
  }
  t.same(pageOf(['a', null, 1], { title: 'a' }).items, ['a', null, 1], 'texts have no properties')
})

t.test('a page is cut by limit, and the link to the next one has the whole query', async (t) => {
  const pageOf = await pagesOf([limit, cursor, { name: 'tags', in: 'query', schema: tags }, lent])
  t.same(shown(pageOf(BOOKS, { limit: 2 })), [[1, 2], 'limit=2&cursor=Mg'])
  t.same(shown(pageOf(BOOKS, { limit: 2, cursor: 'Mg' })), [[3]])
  t.same(shown(pageOf(BOOKS, { limit: 1, tags: ['novel', 'a&b'] })), [
    [1],
    'limit=1&tags=novel&tags=a%26b&cursor=MQ'
  ])
  for (const limit of [0, -1, 'all', 3, 2n ** 63n]) {
    t.equal(shown(pageOf(BOOKS, { limit })).length, 1, `${limit}: no next page`)
  }
})

t.test('a list that cannot be asked for by cursor, or not as pairs, has one page', async (t) => {
  const deep = { name: 'lent', in: 'query', style: 'deepObject', schema: { type: 'object' } }
  const joined = { name: 'tags', in: 'query', explode: false, schema: tags }
  for (const parameters of [[limit], [limit, cursor, deep], [limit, cursor, joined]]) {
    t.same(shown((await pagesOf(parameters))(BOOKS, { limit: 1 })), [[1]])
  }
})
