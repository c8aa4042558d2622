import t from 'tap'
import { DONE, read, serve, serveParameters } from '../books.js'

const STRING = { type: 'string' }

t.test('a path may mix text and parameters, and have any character', async (t) => {
  const operation = (operationId: string, names: string[] = []) => ({
    get: {
      operationId,
      parameters: names.map((name) => ({ name, in: 'path', required: true, schema: STRING })),
      responses: { 204: { description: 'Done.' } }
    }
  })
  const paths: [path: string, names: string[], calls: [path: string, params: object | undefined][]][] = [
    [
      '/books/{book-id}',
      ['book-id'],
      [
        ['/books/a', { 'book-id': 'a' }],
        ['/books/a.b', { 'book-id': 'a.b' }]
      ]
    ],
    [
      '/books/{id}.pdf',
      ['id'],
      [
        ['/books/a.pdf', { id: 'a' }],
        ['/books/a.b.pdf', { id: 'a.b' }],
        ['/books/a%2Fb%2Epdf', { id: 'a/b' }]
      ]
    ],
    [
      '/books/{from}-{to}',
      ['from', 'to'],
      [
        ['/books/1-2', { from: '1', to: '2' }],
        ['/books/1-2-3', { from: '1', to: '2-3' }]
      ]
    ],
    [
      '/shelves/v{n}:move',
      ['n'],
      [
        ['/shelves/v7:move', { n: '7' }],
        ['/shelves/v7%3Amove', undefined]
      ]
    ],
    [
      "/users('{user}')/books",
      ['user'],
      [
        ["/users('a%27b')/books", { user: "a'b" }],
        ['/users(%27x%27)/books', { user: 'x' }]
      ]
    ],
    [
      '/files/*',
      [],
      [
        ['/files/*', {}],
        ['/files/a', undefined]
      ]
    ],
    ['/große städte/{x}', ['x'], [['/gro%C3%9Fe%20st%C3%A4dte/%C3%9F', { x: 'ß' }]]],
    [
      '/trail/',
      [],
      [
        ['/trail/', {}],
        ['/trail', undefined]
      ]
    ],
    ['/same/{id}/of/{id}', ['id'], [['/same/1/of/1', { id: '1' }]]],
    [
      '/a+b/{x},{y}',
      ['x', 'y'],
      [
        ['/a+b/1,2', { x: '1', y: '2' }],
        ['/a+b/%2C,%2B', { x: ',', y: '+' }]
      ]
    ]
  ]
  const document = await read({
    paths: Object.fromEntries(paths.map(([path, names], index) => [path, operation(`op${index}`, names)]))
  })
  const seen: [string, object][] = []
  const { call } = await serve(
    t,
    document,
    Object.fromEntries(
      paths.map(([path], index) => [
        `op${index}`,
        ({ params }) => {
          seen.push([path, params])
        }
      ])
    )
  )
  for (const [template, , calls] of paths) {
    for (const [path, params] of calls) {
      seen.length = 0
      const { status } = await call('GET', path)
      t.same([status, seen], params ? [204, [[template, params]]] : [404, []], `${path} as ${template}`)
    }
  }
  t.match(await call('GET', '/same/1/of/2'), {
    status: 400,
    json: { message: "Path parameter 'id' stands twice in the path and must be the same." }
  })
})

t.test('a long segment with many parameters is soon read, or found to be another', async (t) => {
  const names = ['a', 'b', 'c', 'd']
  const { call, received } = await serveParameters(
    t,
    names.map((name) => ({ name, in: 'path', schema: STRING })),
    '/books/{a}--{b}--{c}--{d}.pdf',
    16 * 1024
  )
  const long = '-'.repeat(10_000)
  const before = performance.now()
  t.equal((await call('GET', `/books/${long}`)).status, 404)
  t.equal((await call('GET', `/books/${long}.pdf`)).status, 204)
  t.same(received().params, { a: '', b: '', c: '', d: `${long.slice(6)}` })
  t.ok(performance.now() - before < 5_000)
})

t.test('paths that differ in the names of their parameters only are told apart by their methods', async (t) => {
  const one = (name: string) => ({
    parameters: [{ name, in: 'path', required: true, schema: STRING }],
    responses: { 204: { description: 'Done.' } }
  })
  const document = await read({
    paths: {
      '/books/{id}': { get: { operationId: 'getBook', ...one('id') } },
      '/books/{isbn}': { delete: { operationId: 'removeBook', ...one('isbn') } }
    }
  })
  const { call, received } = await serve(t, document, { getBook: () => undefined, removeBook: () => undefined })
  await call('GET', '/books/7')
  t.same(received().params, { id: '7' })
  await call('DELETE', '/books/7')
  t.same(received().params, { isbn: '7' })
  t.equal((await call('OPTIONS', '/books/7')).headers.get('allow'), 'GET, HEAD, DELETE, OPTIONS')
})

t.test('an empty segment is no value of a parameter, whatever the method; a path that is empty there is itself', async (t) => {
  const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } })
  const operation = (operationId: string, ...names: string[]) => ({
    operationId,
    parameters: names.map(inPath),
    responses: DONE
  })
  const document = await read({
    paths: {
      '/books/': { get: operation('listBooks') },
      '/books/{bookId}': { get: operation('getBook', 'bookId'), put: operation('putBook', 'bookId') },
      '/shelves/{shelfId}/books': { get: operation('getShelf', 'shelfId') },
      '/shelves/{shelfId}/books/{bookId}': { delete: operation('takeBook', 'shelfId', 'bookId') },
      '/files/{name}.txt': { get: operation('getFile', 'name') }
    }
  })
  const ids = ['listBooks', 'getBook', 'putBook', 'getShelf', 'takeBook', 'getFile']
  const { call } = await serve(t, document, Object.fromEntries(ids.map((id) => [id, () => undefined])))
  const found: [method: string, path: string, status: number][] = [
    ['GET', '/books/', 204],
    ['GET', '/books/1', 204],
    ['PUT', '/books/1', 204],
    ['PUT', '/books/', 405],
    ['GET', '/shelves/1/books', 204],
    ['GET', '/shelves//books', 404],
    ['HEAD', '/shelves//books', 404],
    ['OPTIONS', '/shelves//books', 404],
    ['POST', '/shelves//books', 404],
    ['DELETE', '/shelves/1/books/2', 204],
    ['DELETE', '/shelves/1/books/', 404],
    ['DELETE', '/shelves//books/2', 404],
    ['DELETE', '/shelves/1/books/?x=1', 404],
    ['GET', '/files/.txt', 204]
  ]
  for (const [method, path, status] of found) t.equal((await call(method, path)).status, status, `${method} ${path}`)
})
