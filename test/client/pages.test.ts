import { nextCursor, pages, ResponseError } from 'petstore/types/client'
import t from 'tap'
import { startMock } from '../support/mock.js'
import { startService } from '../support/service.js'
import { watched } from './calls.js'

t.test('pages gives each item of a list once, in order, over all its pages', async (t) => {
  const { root, key, call } = await startService(t)
  const { client, sent } = watched(root, { key })
  const status = (index: number) => (index % 2 ? 'sold' : 'available') as 'sold' | 'available'
  for (let index = 0; index < 8; index++) {
    await call('POST', '/pets', { body: { name: `n${index}`, categoryId: 1, status: status(index) } })
  }
  const names: string[] = []
  for await (const pet of pages(client, '/pets', { params: { query: { limit: 3 } } })) names.push(pet.name)
  t.same(names, ['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7'])
  t.same(sent.length, 3)

  const sold: string[] = []
  const query = { limit: 3, status: 'sold' } as const
  for await (const pet of pages(client, '/pets', { params: { query } })) sold.push(pet.name)
  t.same(sold, ['n1', 'n3', 'n5', 'n7'], 'the filter holds on every page')

  const { response } = await client.GET('/pets', { params: { query: { limit: 3 } } })
  const rest: string[] = []
  const cursor = nextCursor(response)!
  for await (const { name } of pages(client, '/pets', { params: { query: { limit: 3, cursor } } })) rest.push(name)
  t.same(rest, ['n3', 'n4', 'n5', 'n6', 'n7'], 'it may begin at a cursor')
})

t.test('pages reads a page when its first item is asked for', async (t) => {
  const { root, key, call } = await startService(t)
  for (let index = 0; index < 4; index++) await call('POST', '/categories', { body: { name: `n${index}` } })
  const { client, sent } = watched(root, { key })
  const categories = pages(client, '/categories', { params: { query: { limit: 2 } } })
  t.equal(sent.length, 0)
  for await (const { name } of categories) if (name === 'n1') break
  t.equal(sent.length, 1)
})

t.test('every list has pages, of the mock too', async (t) => {
  const { root } = await startMock(t)
  const { client } = watched(root)
  const query = { limit: 1 }
  for (const path of ['/pets', '/categories', '/store/orders', '/inventory'] as const) {
    const items = []
    for await (const item of pages(client, path, { params: { query } })) items.push(item)
    t.same(items, (await client.GET(path)).data, path)
    t.equal(items.length, 2, path)
  }
})

t.test('pages throws what is answered instead of a page', async (t) => {
  const { root } = await startService(t)
  const { client } = watched(root, { key: 'wrong' })
  const error = await pages(client, '/pets').next().catch((error: unknown) => error)
  t.ok(error instanceof ResponseError)
  t.match(error, {
    name: 'ResponseError',
    message: /^Missing or invalid API key/,
    body: { code: 'unauthorized' },
    response: { status: 401 }
  })
})

t.test('nextCursor is undefined on the last page, and where there is no list', async (t) => {
  const { root } = await startMock(t)
  const { client } = watched(root)
  t.type(nextCursor((await client.GET('/pets', { params: { query: { limit: 1 } } })).response), 'string')
  t.equal(nextCursor((await client.GET('/pets')).response), undefined)
  t.equal(nextCursor((await client.GET('/pets/{petId}', { params: { path: { petId: 1 } } })).response), undefined)
  const link = (value: string) => new Response(null, { headers: { Link: value } })
  t.equal(nextCursor(link('<?cursor=a>; rel="prev", <?limit=1&cursor=b%3D>; title="x, y"; rel="next last"')), 'b=')
  t.equal(nextCursor(link('<https://other.example/pets?cursor=c>;rel=next')), 'c')
})
