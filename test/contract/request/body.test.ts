import { Readable } from 'node:stream'
import t from 'tap'
import { ContractError } from '../../../src/contract/document/contract-error.js'
import { Answer } from '../../../src/contract/response/answer.js'
import { operationsOf } from '../../../src/contract/operation/operation.js'
import { read, serve } from '../books.js'

const DONE = { 204: { description: 'Done.' } }
const BOOK = {
  type: 'object',
  required: ['title'],
  additionalProperties: false,
  properties: {
    title: { type: 'string' },
    pages: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    shelf: { type: 'object', properties: { row: { type: 'integer' } }, additionalProperties: false },
    cover: { type: 'string', format: 'binary', maxLength: 4 },
    id: { type: 'integer', format: 'int64' }
  }
}

/** Serves PUT /books, which takes a body of the content and answers 204. */
async function taking (
  t: Parameters<typeof serve>[0],
  content: object,
  { required = true, method = 'put', openapi = '3.1.0' } = {}
) {
  const document = await read(
    {
      paths: { '/books': { [method]: { operationId: 'putBook', requestBody: { required, content }, responses: DONE } } }
    },
    openapi
  )
  return serve(t, document, { putBook: () => undefined })
}

t.test('a body is read as what it was sent as, by the schema of the most specific media type', async (t) => {
  const { call, received } = await taking(t, {
    'application/json': { schema: BOOK },
    'application/vnd.books+json; version=2': { schema: { type: 'object', required: ['name'] } },
    'application/*+json': { schema: { type: 'array' } },
    'text/plain; charset=utf-8': { schema: { type: 'integer' } },
    'text/*': { schema: { type: 'string', maxLength: 3 } },
    'application/pdf': { schema: { type: 'string', minLength: 2 } },
    'image/*': {}
  })
  const taken: [type: string, sent: string | Uint8Array, value: unknown][] = [
    ['application/json', '{"title":"A","id":9007199254740993}', { title: 'A', id: 9007199254740993n }],
    ['APPLICATION/VND.books+JSON; version="2"', '{"name":1}', { name: 1 }],
    ['application/vnd.books+json', '[1]', [1]],
    ['application/problem+json', '[]', []],
    ['text/plain', '12', 12],
    ['text/plain; charset=iso-8859-1', '12', 12],
    ['text/csv', 'a,b', 'a,b'],
    ['text/csv; charset=iso-8859-1', Buffer.from([0xe9]), 'é'],
    ['application/pdf', Buffer.from([0, 255]), Buffer.from([0, 255])],
    ['image/png', Buffer.from([1]), Buffer.from([1])]
  ]
  for (const [type, sent, value] of taken) {
    t.equal((await call('PUT', '/books', sent, { 'content-type': type })).status, 204, type)
    t.same(received().body, value, type)
  }
  const refused: [type: string, sent: string | Uint8Array, status: number, message?: string][] = [
    ['application/vnd.books+json; version=2', '[]', 400, 'The body must be an object.'],
    ['application/vnd.books+json; version=3', '{}', 400, 'The body must be an array.'],
    ['text/plain', 'x', 400, 'The body must be an integer.'],
    ['text/csv', 'abcd', 400, 'The body must have at most 3 characters.'],
    ['text/csv', Buffer.from([0xe9]), 400, 'The body is not utf-8.'],
    ['text/csv; charset=none', 'a', 415],
    ['application/pdf', 'a', 400, 'The body must have at least 2 bytes.'],
    ['application/xml', '<a/>', 415],
    ['video/mp4', 'a', 415],
    ['image', 'a', 415]
  ]
  for (const [type, sent, status, message] of refused) {
    t.match(
      await call('PUT', '/books', sent, { 'content-type': type }),
      { status, ...(message ? { json: { message } } : {}) },
      type
    )
  }
})

t.test('any media type is taken where the document says */*, each as what it is', async (t) => {
  const { call, received } = await taking(t, { '*/*': {} })
  for (const [type, sent, value] of [
    ['application/json', '[1]', [1]],
    ['text/html', '<p>', '<p>'],
    ['application/x-www-form-urlencoded', 'a=1', { a: '1' }],
    ['application/zip', 'PK', Buffer.from('PK')]
  ] as const) {
    t.equal((await call('PUT', '/books', sent, { 'content-type': type })).status, 204, type)
    t.same(received().body, value, type)
  }
  const response = await fetch(`http://127.0.0.1:${(await taking(t, { '*/*': {} })).port}/books`, {
    method: 'PUT',
    body: Buffer.from('x')
  })
  t.equal(response.status, 204, 'without a Content-Type it is bytes')
})

t.test('a form is read by its schema', async (t) => {
  const { call, received } = await taking(t, {
    'application/x-www-form-urlencoded': {
      schema: BOOK,
      encoding: { tags: { style: 'pipeDelimited', explode: false } }
    }
  })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  await call('PUT', '/books', 'title=a+b%26c&pages=7&tags=x%7Cy&shelf=%7B%22row%22:1%7D&id=9007199254740993', form)
  t.same(received().body, { title: 'a b&c', pages: 7, tags: ['x', 'y'], shelf: { row: 1 }, id: 9007199254740993n })
  for (const [sent, message] of [
    ['pages=1', "'title' is required."],
    ['title=a&pages=x', "'pages' must be an integer."],
    ['title=a&title=b', "'title' must be a string."],
    ['title=a&author=b', "'author' is not known."],
    ['title=a&shelf=x', 'is not valid JSON.']
  ] as const) {
    t.match(
      await call('PUT', '/books', sent, form),
      { status: 400, json: { message: new RegExp(`${message}$`) } },
      sent
    )
  }
})

t.test('an encoding has the styles of a query', async (t) => {
  const schema = {
    type: 'object',
    additionalProperties: false,
    properties: {
      shelf: BOOK.properties.shelf,
      tags: BOOK.properties.tags,
      ids: { type: 'array', items: { type: 'integer' } }
    }
  }
  const { call, received } = await taking(t, {
    'application/x-www-form-urlencoded': {
      schema,
      encoding: { shelf: { style: 'deepObject', explode: true }, ids: { style: 'form', explode: false } }
    }
  })
  await call('PUT', '/books', 'shelf[row]=1&tags=a&tags=b&ids=1,2', {
    'content-type': 'application/x-www-form-urlencoded'
  })
  t.same(received().body, { shelf: { row: 1 }, tags: ['a', 'b'], ids: [1, 2] })
})

t.test('multipart/form-data is read by its schema, files as bytes', async (t) => {
  const { call, received } = await taking(t, { 'multipart/form-data': { schema: BOOK } })
  const part = (head: string, content: string) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
  const send = (body: string, type = 'multipart/form-data; boundary=b') =>
    call('PUT', '/books', Buffer.from(body, 'latin1'), { 'content-type': type })
  const cover = '\x00\xff\r\n'
  t.equal(
    (
      await send(
        `${part('name="title"', Buffer.from('é').toString('latin1'))}${part('name="pages"', '7')}${part('name="tags"', 'x')}${part('name="tags"', 'y')}${part('name=shelf', '{"row":1}')}${part('name="cover"; filename="c.png"\r\nContent-Type: image/png', cover)}--b--\r\n`
      )
    ).status,
    204
  )
  t.same(received().body, {
    title: 'é',
    pages: 7,
    tags: ['x', 'y'],
    shelf: { row: 1 },
    cover: Buffer.from(cover, 'latin1')
  })
  const form = new FormData()
  form.set('title', 'a"b')
  form.set('cover', new Blob([new Uint8Array([1])]))
  const multipart = new Response(form)
  await call('PUT', '/books', Buffer.from(await multipart.arrayBuffer()), {
    'content-type': multipart.headers.get('content-type')!
  })
  t.same(received().body, { title: 'a"b', cover: Buffer.from([1]) })
  const bad = 'The body is not valid multipart/form-data.'
  for (const [body, message] of [
    [`${part('name="pages"', '7')}--b--`, "Body property 'title' is required."],
    [`${part('name="title"', 'a')}${part('name="pages"', 'x')}--b--`, "Body property 'pages' must be an integer."],
    [
      `${part('name="title"', 'a')}${part('name="cover"', '12345')}--b--`,
      "Body property 'cover' must have at most 4 bytes."
    ],
    [`${part('name="title"', 'a')}${part('name="shelf"', '{')}--b--`, "Body property 'shelf' is not valid JSON."],
    [`${part('name="title"', '\xff')}--b--`, "Body property 'title' is not UTF-8."],
    [`${part('name="title"', 'a')}${part('name="author"', 'a')}--b--`, "Body property 'author' is not known."],
    ['', bad],
    ['x', bad],
    [part('name="title"', 'a'), bad],
    [`${part('', 'a')}--b--`, bad],
    ['--b\r\n\r\na\r\n--b--', bad],
    ['--b\r\nContent-Disposition: form-data; name="title"\r\na\r\n--b--', bad],
    [`x${part('name="title"', 'a')}--b--`, bad]
  ] as const) {
    t.match(await send(body), { status: 400, json: { message } }, JSON.stringify(body))
  }
  t.match(await send('--b--', 'multipart/form-data'), {
    status: 400,
    json: { message: 'The Content-Type has no boundary.' }
  })
})

t.test('the first items of an array may each have a schema of their own, in parts and in elements', async (t) => {
  const schema = {
    type: 'object',
    properties: {
      t: {
        type: 'array',
        prefixItems: [{ type: 'integer' }, { type: 'string' }],
        items: { type: 'boolean' },
        xml: { wrapped: true }
      }
    }
  }
  const { call, received } = await taking(t, { 'multipart/form-data': { schema }, 'application/xml': { schema } })
  const parts = ['1', '2', 'true']
    .map((text) => `--b\r\nContent-Disposition: form-data; name="t"\r\n\r\n${text}\r\n`)
    .join('')
  for (const [type, body] of [
    ['multipart/form-data; boundary=b', `${parts}--b--`],
    ['application/xml', '<a><t><x>1</x><x>2</x><x>true</x></t></a>']
  ] as const) {
    t.equal((await call('PUT', '/books', body, { 'content-type': type })).status, 204, type)
    t.same(received().body, { t: [1, '2', true] }, type)
  }
})

t.test('XML is read by its schema (OpenAPI 3.1.1, section 4.8.26)', async (t) => {
  const schema = {
    type: 'object',
    xml: { name: 'book' },
    required: ['title'],
    additionalProperties: false,
    properties: {
      id: { type: 'integer', xml: { attribute: true } },
      title: { type: 'string' },
      pages: { type: 'integer', xml: { name: 'pageCount', prefix: 'b', namespace: 'urn:b' } },
      tags: { type: 'array', items: { type: 'string', xml: { name: 'tag' } }, xml: { name: 'tagList', wrapped: true } },
      ids: { type: 'array', items: { type: 'integer' } },
      shelf: { type: 'object', properties: { row: { type: 'integer' } }, additionalProperties: false }
    }
  }
  const { call, received } = await taking(t, { 'application/xml': { schema }, 'application/json': { schema } })
  const xml = { 'content-type': 'application/xml' }
  t.equal(
    (
      await call(
        'PUT',
        '/books',
        '<?xml version="1.0"?><book id="7" xmlns:b="urn:b"> <title>a &amp; <![CDATA[<b>]]></title><b:pageCount>9</b:pageCount><tagList><tag>x</tag><tag>y</tag></tagList><ids>1</ids><ids>2</ids><shelf><row>1</row></shelf></book>',
        xml
      )
    ).status,
    204
  )
  t.same(received().body, { id: 7, title: 'a & <b>', pages: 9, tags: ['x', 'y'], ids: [1, 2], shelf: { row: 1 } })
  for (const [sent, message] of [
    ['<book/>', "Body property 'title' is required."],
    ['<book id="x"><title/></book>', "Body property 'id' must be an integer."],
    ['<book><title/><title/></book>', "Body property 'title' must be a string."],
    ['<book><title/><author/></book>', "Body property 'author' is not known."],
    ['<book lang="de"><title/></book>', "Body property 'lang' is not known."],
    ['<pet/>', 'The body must be an element book.'],
    ['<book>text<title/></book>', 'The body has text in the element book, where elements are expected.'],
    ['<book>', 'The body is not valid XML.'],
    ['', 'The body is not valid XML.'],
    ['<book>&nope;</book>', 'The body is not valid XML.'],
    ['<!DOCTYPE book [<!ENTITY a "b">]><book/>', 'The body has a document type, which is not understood.'],
    [`${'<a>'.repeat(101)}`, 'The body has more than 100 levels.']
  ] as const) {
    t.match(await call('PUT', '/books', sent, xml), { status: 400, json: { message } }, sent)
  }
})

t.test('a body that is not required may be missing, one that is not declared is dropped', async (t) => {
  const { call, received } = await taking(t, { 'text/plain': {} }, { required: false })
  t.equal((await call('PUT', '/books')).status, 204)
  t.equal(received().body, undefined)
  t.match(await (await taking(t, { 'text/plain': {} })).call('PUT', '/books'), {
    status: 400,
    json: { message: 'The body is required.' }
  })
  const document = await read({ paths: { '/books': { delete: { operationId: 'removeBooks', responses: DONE } } } })
  const service = await serve(t, document, { removeBooks: () => undefined })
  t.equal((await service.call('DELETE', '/books', '{"a":1}')).status, 204)
  t.equal(service.received().body, undefined)
})

t.test('the body of a GET is ignored in 3.0 and read in 3.1', async (t) => {
  const http = await import('node:http')
  const get = (port: number, body: string, headers: object = { 'content-type': 'application/json' }) =>
    new Promise<number>((resolve, reject) => {
      const request = http.request(
        {
          port,
          host: '127.0.0.1',
          path: '/books',
          method: 'GET',
          headers: { ...headers, 'content-length': Buffer.byteLength(body) }
        },
        (response) => resolve(response.resume().statusCode!)
      )
      request.on('error', reject).end(body)
    })
  const content = { 'application/json': { schema: BOOK } }
  const old = await taking(t, content, { method: 'get', openapi: '3.0.3' })
  t.equal(await get(old.port, '{"pages":"x"}'), 204)
  t.equal(old.received().body, undefined)
  const { port, received } = await taking(t, content, { method: 'get', required: false })
  t.equal(await get(port, '{"title":"A"}'), 204)
  t.same(received().body, { title: 'A' })
  t.equal(await get(port, '{"pages":"x"}'), 400)
  t.equal(await get(port, ''), 204)
  t.equal(received().body, undefined)
})

/** Serves GET /books, which answers what `answer` gives. */
async function answering (t: Parameters<typeof serve>[0], responses: object, answer: () => unknown) {
  const document = await read({
    paths: {
      '/books': { get: { operationId: 'getBooks', ...(Object.keys(responses).length > 0 ? { responses } : {}) } }
    }
  })
  const { call } = await serve(t, document, { getBooks: answer })
  const { status, text, headers } = await call('GET', '/books')
  return { status, text, type: headers.get('content-type') }
}

t.test('an answer has the status and the media type that its handler names, or the only one', async (t) => {
  const json = { 'application/json': { schema: { type: 'object', properties: { a: { type: 'integer' } } } } }
  const response = (content: object = {}) => ({ description: 'Done.', content })
  const JSON_TYPE = 'application/json; charset=utf-8'
  const right: [title: string, responses: object, answer: () => unknown, wanted: object][] = [
    [
      'the only 2xx',
      { 201: response(json), 400: response() },
      () => ({ a: 1, b: 2 }),
      { status: 201, text: '{"a":1}', type: JSON_TYPE }
    ],
    [
      'one of several',
      { 200: response(json), 202: response() },
      () => new Answer(undefined, {}, 202),
      { status: 202, text: '', type: null }
    ],
    ['a redirect', { 302: response() }, () => new Answer(undefined, {}, 302), { status: 302, text: '', type: null }],
    ['a range', { '2XX': response(json) }, () => ({ a: 1 }), { status: 200, text: '{"a":1}', type: JSON_TYPE }],
    [
      'another of a range',
      { '2XX': response(json) },
      () => new Answer({ a: 1 }, {}, 206),
      { status: 206, text: '{"a":1}', type: JSON_TYPE }
    ],
    ['default', { default: response(json) }, () => ({ a: 1 }), { status: 200, text: '{"a":1}', type: JSON_TYPE }],
    [
      'an error',
      { 200: response(json), 404: response({ 'application/problem+json': {} }) },
      () => new Answer({ type: 'x' }, {}, 404),
      { status: 404, text: '{"type":"x"}', type: 'application/problem+json; charset=utf-8' }
    ],
    ['no responses', {}, () => undefined, { status: 200, text: '', type: null }],
    [
      'JSON before others',
      { 200: response({ 'text/csv': {}, ...json }) },
      () => ({ a: 1 }),
      { status: 200, text: '{"a":1}', type: JSON_TYPE }
    ],
    [
      'a named type',
      { 200: response({ ...json, 'text/csv': {} }) },
      () => new Answer('a,b', {}, 200, 'text/csv'),
      { status: 200, text: 'a,b', type: 'text/csv; charset=utf-8' }
    ],
    [
      'of a range',
      { 200: response({ 'image/*': {} }) },
      () => new Answer(Buffer.from('PNG'), {}, undefined, 'image/png'),
      { status: 200, text: 'PNG', type: 'image/png' }
    ],
    [
      'a stream',
      { 200: response({ 'text/event-stream': {} }) },
      () => Readable.from(['data: 1\n\n', 'data: 2\n\n']),
      { status: 200, text: 'data: 1\n\ndata: 2\n\n', type: 'text/event-stream; charset=utf-8' }
    ],
    ['any, a value', { 200: response({ '*/*': {} }) }, () => [1], { status: 200, text: '[1]', type: JSON_TYPE }],
    [
      'any, bytes',
      { 200: response({ '*/*': {} }) },
      () => Buffer.from('x'),
      { status: 200, text: 'x', type: 'application/octet-stream' }
    ]
  ]
  for (const [title, responses, answer, wanted] of right) t.same(await answering(t, responses, answer), wanted, title)

  const wrong: [title: string, responses: object, answer: () => unknown][] = [
    ['no status of several', { 200: response(json), 202: response() }, () => ({ a: 1 })],
    ['an undeclared status', { 200: response(json) }, () => new Answer({ a: 1 }, {}, 201)],
    ['an undeclared type', { 200: response(json) }, () => new Answer('a', {}, 200, 'text/csv')],
    ['a value that is no text', { 200: response({ 'text/csv': {} }) }, () => ({ a: 1 })],
    ['a body where none is declared', { 200: { description: 'Done.' } }, () => ({ a: 1 })],
    ['no type of a range', { 200: response({ 'image/*': {} }) }, () => Buffer.from('x')]
  ]
  for (const [title, responses, answer] of wrong) t.equal((await answering(t, responses, answer)).status, 500, title)
})

t.test('an operation may be served under two paths that refer to it', async (t) => {
  const document = await read({
    paths: {
      '/books': { get: { operationId: 'getBooks', responses: DONE } },
      '/old': { $ref: '#/paths/~1books' },
      '/both': { $ref: '#/components/pathItems/Both', post: { operationId: 'addBoth', responses: DONE } }
    },
    components: { pathItems: { Both: { put: { operationId: 'putBoth', responses: DONE } } } }
  })
  t.same(
    operationsOf(document).map(({ operationId, path }) => `${operationId} ${path}`),
    ['getBooks /books', 'getBooks /old', 'putBoth /both', 'addBoth /both']
  )
  const { call } = await serve(t, document, {
    getBooks: () => undefined,
    putBoth: () => undefined,
    addBoth: () => undefined
  })
  for (const [method, path] of [
    ['GET', '/books'],
    ['GET', '/old'],
    ['PUT', '/both'],
    ['POST', '/both']
  ] as const) {
    t.equal((await call(method, path)).status, 204)
  }
  const copied = await read({
    paths: {
      '/books': { get: { operationId: 'getBooks', responses: DONE } },
      '/old': { get: { operationId: 'getBooks', responses: DONE } }
    }
  })
  t.throws(() => operationsOf(copied), ContractError)
})
