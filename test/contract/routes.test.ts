import { METHODS } from 'node:http'
import fastify from 'fastify'
import t from 'tap'
import { parseReply, sendRaw } from '../../scripts/http/raw.js'
import { ContractError } from '../../src/contract/document/contract-error.js'
import { readDocument } from '../../src/contract/document/document.js'
import { operationsOf } from '../../src/contract/operation/operation.js'
import { Answer } from '../../src/contract/response/answer.js'
import { registerRoutes, type ContractOptions } from '../../src/contract/routes.js'
import { read, serve } from './books.js'

/** Parts of books within books, schemas that are shared, defaults behind references. */
const SHOP = await readDocument(`
openapi: 3.1.0
info: { title: Books, version: 1.0.0 }
paths:
  /books:
    get:
      operationId: listBooks
      parameters:
        - { name: limit, in: query, schema: { $ref: '#/components/schemas/Limit' } }
      responses:
        '200': { description: Books., headers: { Link: { schema: { type: string } } }, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } } }
    post:
      operationId: addBook
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewBook' } } } }
      responses:
        '201': { description: Added., content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
  /books/{bookId}:
    parameters: [{ name: bookId, in: path, required: true, schema: { $ref: '#/components/schemas/Id' } }]
    delete:
      operationId: removeBook
      parameters: [{ name: X-Reason, in: header, required: true, schema: { type: string, enum: [lost, sold] } }]
      responses: { '204': { description: Removed. } }
    put:
      operationId: lendBook
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Loan' } } } }
      responses: { '200': { description: Lent., content: { application/json: { schema: { $ref: '#/components/schemas/Loan' } } } } }
components:
  schemas:
    Id: { type: integer, format: int64 }
    Limit: { type: integer, minimum: 1, default: 20 }
    Language: { type: string, default: en }
    Loan: { type: object, additionalProperties: false, properties: { days: { type: integer, default: 14 } } }
    Part: { type: object, additionalProperties: false, required: [title], properties: { title: { type: string }, language: { $ref: '#/components/schemas/Language' }, parts: { type: array, items: { $ref: '#/components/schemas/Part' } } } }
    NewBook: { type: object, additionalProperties: false, required: [title], properties: { title: { type: string }, language: { $ref: '#/components/schemas/Language' }, copies: { type: integer, default: 1 }, main: { $ref: '#/components/schemas/Part' } } }
    Book: { allOf: [{ type: object, required: [id], properties: { id: { $ref: '#/components/schemas/Id' } } }, { type: object, properties: { title: { type: string }, copies: { type: integer }, main: { $ref: '#/components/schemas/Part' } } }] }
`)

const serveShop = (t: Parameters<typeof serve>[0]) =>
  serve(t, SHOP, {
    listBooks: () => new Answer([{ id: 1, title: 'A' }], { Link: '</books?page=2>; rel="next"' }),
    addBook: ({ body }) => ({ id: 9007199254740993n, ...body, secret: 'not declared' }),
    removeBook: () => undefined,
    lendBook: ({ body }) => body ?? { days: 0 }
  })

t.test(
  'a handler gets what was sent, with the defaults of the document, and answers with the declared status',
  async (t) => {
    const { call, received } = await serveShop(t)
    const { status, text } = await call('POST', '/books', '{"title":"A"}')
    t.equal(status, 201)
    t.equal(text, '{"id":9007199254740993,"title":"A","copies":1}')
    t.same(received().body, { title: 'A', language: 'en', copies: 1 })
    await call('GET', '/books')
    t.same(received().query, { limit: 20 })
    await call('POST', '/books', '{"title":"A","language":"de","copies":3}')
    t.same(received().body, { title: 'A', language: 'de', copies: 3 }, 'a default replaces nothing')
  }
)

t.test('a schema may refer to itself', async (t) => {
  const { call, received } = await serveShop(t)
  const { text } = await call(
    'POST',
    '/books',
    '{"title":"A","main":{"title":"B","language":"de","parts":[{"title":"C","language":"de","parts":[{"title":"D","language":"de"}]}]}}'
  )
  t.equal(
    text,
    '{"id":9007199254740993,"title":"A","copies":1,"main":{"title":"B","language":"de","parts":[{"title":"C","language":"de","parts":[{"title":"D","language":"de"}]}]}}'
  )
  await call('POST', '/books', '{"title":"A","main":{"title":"B","parts":[{"title":"C"}]}}')
  t.same(received().body.main, { title: 'B', language: 'en', parts: [{ title: 'C', language: 'en' }] })
  t.match(await call('POST', '/books', '{"title":"A","main":{"title":"B","parts":[{"title":"C"},{"parts":[]}]}}'), {
    status: 400,
    json: { message: "Body property 'main.parts.1.title' is required." }
  })
})

t.test('a property that is not declared is refused in a request and left out of an answer', async (t) => {
  const { call, seen } = await serveShop(t)
  t.match(await call('POST', '/books', '{"title":"A","secret":1}'), {
    status: 400,
    json: { message: "Body property 'secret' is not known." }
  })
  t.match(await call('GET', '/books?page=1'), {
    status: 400,
    json: { message: "Query parameter 'page' is not known." }
  })
  t.same(seen, [], 'no handler was called')
  t.notOk('secret' in (await call('POST', '/books', '{"title":"A"}')).json)
})

t.test('a handler may add headers, and HEAD answers as GET does, without the body', async (t) => {
  const { call, seen } = await serveShop(t)
  const get = await call('GET', '/books')
  const head = await call('HEAD', '/books')
  t.same(
    [get.status, get.text, get.headers.get('link')],
    [200, '[{"id":1,"title":"A"}]', '</books?page=2>; rel="next"']
  )
  t.same([head.status, head.text], [200, ''])
  for (const name of ['content-type', 'content-length', 'link']) {
    t.equal(head.headers.get(name), get.headers.get(name), name)
  }
  t.equal(seen.length, 2)
  t.equal((await call('HEAD', '/books?limit=0')).status, 400)
})

t.test('a body is written by the schema of its answer, or as it is where there is none', async (t) => {
  const schema = { type: 'object', properties: { title: { type: 'string' } } }
  const contentOf = (media: object) => ({ description: 'A book.', content: { 'application/json': media } })
  const document = await read({
    paths: {
      '/books': { get: { operationId: 'getBook', responses: { 200: contentOf({}), 404: contentOf({ schema }) } } }
    }
  })
  const book = { title: 'Emma', pages: 1 }
  for (const [status, wanted] of [
    [undefined, book],
    [404, { title: 'Emma' }]
  ] as const) {
    const { call } = await serve(t, document, { getBook: () => new Answer(book, {}, status) })
    const reply = await call('GET', '/books')
    t.same([reply.status, reply.json], [status ?? 200, wanted])
  }
})

t.test('204 has no body, and a required header is required', async (t) => {
  const { call, received } = await serveShop(t)
  const { status, text, headers } = await call('DELETE', '/books/9007199254740993', undefined, { 'X-Reason': 'lost' })
  t.same({ status, text, type: headers.get('content-type') }, { status: 204, text: '', type: null })
  t.same(received().params, { bookId: 9007199254740993n })
  t.match(await call('DELETE', '/books/1'), { status: 400, json: { message: "Header 'X-Reason' is required." } })
  t.match(await call('DELETE', '/books/1', undefined, { 'X-Reason': 'eaten' }), {
    status: 400,
    json: { message: "Header 'X-Reason' must be one of: lost, sold." }
  })
})

t.test('a body that is not required may be missing; when it is sent it is checked', async (t) => {
  const { call, received } = await serveShop(t)
  t.match(await call('PUT', '/books/1'), { status: 200, text: '{"days":0}' })
  t.equal(received().body, undefined)
  t.match(await call('PUT', '/books/1', '{"days":3}'), { status: 200, text: '{"days":3}' })
  t.match(await call('PUT', '/books/1', '{}'), { status: 200, text: '{"days":14}' })
  t.match(await call('PUT', '/books/1', '{"days":"3"}'), {
    status: 400,
    json: { message: "Body property 'days' must be an integer." }
  })
  t.match(await call('PUT', '/books/1', ''), { status: 200, text: '{"days":0}' }, 'nothing is no body')
  t.equal((await call('POST', '/books')).status, 400, 'a required body')
})

t.test('only application/json is read, and not encoded', async (t) => {
  const { call } = await serveShop(t)
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON']) {
    t.equal((await call('POST', '/books', '{"title":"A"}', { 'content-type': type })).status, 201, type)
  }
  for (const type of [
    'text/plain',
    'application/jsonp',
    'application/problem+json',
    'application/x-www-form-urlencoded'
  ]) {
    t.equal((await call('POST', '/books', '{"title":"A"}', { 'content-type': type })).status, 415, type)
  }
  t.equal((await call('POST', '/books', '{"title":"A"}', { 'content-encoding': 'gzip' })).status, 415)
})

t.test('OPTIONS says which methods a path has', async (t) => {
  const { call, seen } = await serveShop(t)
  for (const [path, allow] of [
    ['/books', 'GET, HEAD, POST, OPTIONS'],
    ['/books/1', 'PUT, DELETE, OPTIONS']
  ] as const) {
    const { status, text, headers } = await call('OPTIONS', path)
    t.same({ status, text, allow: headers.get('allow') }, { status: 204, text: '', allow }, path)
  }
  t.same(seen, [])
})

t.test('every other method is a 405 that says which there are, with and without a body', async (t) => {
  const { port, seen } = await serveShop(t)
  for (const [path, allow] of [
    ['/books', 'GET, HEAD, POST, OPTIONS'],
    ['/books/1', 'PUT, DELETE, OPTIONS']
  ] as const) {
    for (const method of METHODS.filter((name) => name !== 'CONNECT' && !allow.split(', ').includes(name))) {
      for (const body of [
        '',
        'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
        'Content-Type: text/plain\r\nContent-Length: 1\r\n\r\nx'
      ]) {
        const { status, headers, rest } = parseReply(
          await sendRaw(port, `${method} ${path} HTTP/1.1\r\nHost: books\r\nConnection: close\r\n${body || '\r\n'}`)
        )
        t.same(
          { status, allow: headers.allow, rest },
          { status: 405, allow, rest: '' },
          `${method} ${path} ${body.slice(14, 30)}`
        )
      }
    }
  }
  t.same(seen, [])
})

t.test('a 405 does not wait for the body', async (t) => {
  const { port } = await serveShop(t)
  for (const method of ['PATCH', 'PROPFIND']) {
    const reply = parseReply(
      await sendRaw(
        port,
        `${method} /books HTTP/1.1\r\nHost: books\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`
      )
    )
    t.equal(reply.status, 405, method)
  }
})

t.test('an operation of HEAD, OPTIONS or TRACE in the document is served by its handler', async (t) => {
  const responses = { 204: { description: 'Done.', headers: { 'X-By': { schema: { type: 'string' } } } } }
  const methods = ['get', 'head', 'options', 'trace']
  const document = await read({
    paths: { '/books': Object.fromEntries(methods.map((method) => [method, { operationId: method, responses }])) }
  })
  const { port } = await serve(
    t,
    document,
    Object.fromEntries(methods.map((method) => [method, () => new Answer(undefined, { 'X-By': method })]))
  )
  for (const method of methods) {
    const { status, headers } = parseReply(
      await sendRaw(port, `${method.toUpperCase()} /books HTTP/1.1\r\nHost: books\r\nConnection: close\r\n\r\n`)
    )
    t.same({ status, by: headers['x-by'] }, { status: 204, by: method })
  }
})

t.test('a path may have a colon, and a fixed path goes before a parameter', async (t) => {
  const operation = (operationId: string, more: object = {}) => ({
    get: { operationId, responses: { 204: { description: 'Done.' } }, ...more }
  })
  const parameters = [{ name: 'bookId', in: 'path', required: true, schema: { type: 'string' } }]
  const document = await read({
    paths: {
      '/books/{bookId}': operation('getBook', { parameters }),
      '/books/new': operation('newBooks'),
      '/books:search': operation('searchBooks')
    }
  })
  const called: string[] = []
  const { call } = await serve(t, document, {
    getBook: ({ params }) => {
      called.push(params.bookId)
    },
    newBooks: () => {
      called.push('newBooks')
    },
    searchBooks: () => {
      called.push('searchBooks')
    }
  })
  for (const path of ['/books/new', '/books:search', '/books/a%2Fb', '/books/%E2%82%AC']) {
    t.equal((await call('GET', path)).status, 204, path)
  }
  t.same(called, ['newBooks', 'searchBooks', 'a/b', '€'])
  for (const path of ['/books', '/booksXsearch', '/books/a/b', '/books/new/']) {
    t.equal((await call('GET', path)).status, 404, path)
  }
})

t.test('one document may be served twice, and is not changed', async (t) => {
  const before = structuredClone(SHOP)
  for (const service of [await serveShop(t), await serveShop(t)]) {
    t.equal((await service.call('POST', '/books', '{"title":"A"}')).status, 201)
  }
  t.same(SHOP, before)
})

t.test('the start refuses handlers and security that do not fit the document', async (t) => {
  const handlers = { addBook: () => undefined, listBooks: () => [] }
  const responses = { 204: { description: 'Done.' } }
  const document = await read({
    paths: {
      '/books': {
        get: { operationId: 'listBooks', responses },
        post: { operationId: 'addBook', responses, security: [{ key: [] }, { badge: [] }] }
      }
    },
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' }, badge: { type: 'http', scheme: 'basic' } }
    }
  })
  const both = { key: { type: 'http', scheme: 'bearer' }, badge: { type: 'http', scheme: 'basic' } }
  const missing = 'The operation addBook (#/paths/~1books/post) has no handler.'
  const { addBook, ...withoutIt } = handlers
  const refused: [title: string, handlers: object, schemes: ContractOptions['securitySchemes'], message: string][] = [
    ['missing handler', withoutIt, both, missing],
    ['handler that is not a function', { ...handlers, addBook: 'later' }, both, missing],
    [
      'handler of a prototype',
      Object.create(handlers),
      both,
      'The operation listBooks (#/paths/~1books/get) has no handler.'
    ],
    [
      'extra handler',
      { ...handlers, burnBook: () => undefined },
      both,
      'The handler burnBook answers no operation of the document.'
    ],
    [
      'security scheme that nobody enforces',
      handlers,
      { key: both.key },
      '#/paths/~1books/post: the security scheme badge is not enforced by this app; it has key.'
    ],
    [
      'security where there is none',
      handlers,
      {},
      '#/paths/~1books/post: the security scheme key is not enforced by this app; it has none.'
    ],
    [
      'security scheme of another kind',
      handlers,
      { ...both, badge: both.key },
      '#/paths/~1books/post: the security scheme badge must be of the type http bearer, as this app enforces it.'
    ]
  ]
  for (const [title, given, securitySchemes, message] of refused) {
    t.throws(
      () =>
        registerRoutes(fastify(), { document, operations: operationsOf(document), handlers: given, securitySchemes }),
      new ContractError(message),
      title
    )
  }
  const scoped = await read({
    paths: {
      '/books': {
        get: { operationId: 'listBooks', responses },
        post: { operationId: 'addBook', responses, security: [{ key: ['books:write'] }] }
      }
    },
    components: { securitySchemes: both }
  })
  t.throws(
    () =>
      registerRoutes(fastify(), {
        document: scoped,
        operations: operationsOf(scoped),
        handlers,
        securitySchemes: both
      }),
    new ContractError(
      '#/paths/~1books/post: the security scheme key asks for the scope books:write, which this app does not know; it has none.'
    )
  )
  const { call } = await serve(t, document, handlers, both)
  t.equal((await call('POST', '/books')).status, 204)
})

t.test("Fastify's routes have the schemas of the document", async (t) => {
  const schemas = new Map<string, unknown>()
  const app = fastify()
  app.addHook('onRoute', ({ method, url, schema }) => {
    if (schema) schemas.set(`${String(method)} ${url}`, schema)
  })
  const operations = operationsOf(SHOP)
  const handlers = Object.fromEntries(operations.map(({ operationId }) => [operationId, () => undefined]))
  registerRoutes(app, { document: SHOP, operations, handlers, securitySchemes: {} })
  await app.ready()
  const none = { type: 'object', properties: {}, required: [] }
  t.match(schemas.get('PUT /books/:0'), {
    params: {
      ...none,
      properties: { bookId: { $ref: '#/components/schemas/Id' } },
      required: ['bookId'],
      additionalProperties: false
    },
    querystring: { ...none, additionalProperties: false },
    headers: { ...none, additionalProperties: true },
    body: { $ref: '#/components/schemas/Loan' }
  })
  await app.close()
})

t.test('a keyword of a body that means nothing in JSON Schema does not hide the others', async (t) => {
  const schema = { type: 'array', content: { 'application/json': { schema: { type: 'object' } } } }
  const document = await read({
    paths: {
      '/books': {
        put: {
          operationId: 'putBooks',
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: { 204: { description: 'Done.' } }
        }
      }
    }
  })
  const { call } = await serve(t, document, { putBooks: () => undefined })
  t.equal((await call('PUT', '/books', '[]')).status, 204)
  t.equal((await call('PUT', '/books', '{}')).json.message, 'The body must be an array.')
})
