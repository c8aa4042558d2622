import t from 'tap'
import { parseReply, sendRaw } from '../../../../scripts/http/raw.js'
import { BOOK, DONE, read, serve, taking } from '../../books.js'

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

t.test('a body that is not required may be missing, whatever Content-Type its request has', async (t) => {
  const requestBody = { content: { 'text/plain': { schema: { type: 'integer' } } } }
  const operation = (operationId: string, more: object = {}) => ({ operationId, responses: DONE, ...more })
  const document = await read({
    paths: {
      '/books': {
        get: operation('getBooks', { requestBody }),
        put: operation('putBooks', { requestBody }),
        delete: operation('deleteBooks')
      },
      '/shelves': { get: operation('getShelves') }
    }
  })
  const done = () => undefined
  const { port, received } = await serve(t, document, {
    getBooks: done,
    putBooks: done,
    deleteBooks: done,
    getShelves: done
  })
  const lines = ['GET /books', 'HEAD /books', 'PUT /books', 'DELETE /books', 'OPTIONS /books', 'GET /shelves']
  for (const line of lines) {
    for (const type of ['application/json', 'text/plain', 'text/csv', 'multipart/form-data', 'json', '']) {
      for (const framing of ['', 'Content-Length: 0\r\n']) {
        const head = `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\n${framing}\r\n`
        t.equal(parseReply(await sendRaw(port, head)).status, 204, `${line} ${type} ${framing}`)
      }
    }
  }
  t.equal(received().body, undefined)
  const chunked = 'Host: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\nContent-Type: text/csv\r\n\r\n0\r\n\r\n'
  t.equal(parseReply(await sendRaw(port, `DELETE /books HTTP/1.1\r\n${chunked}`)).status, 204, 'no chunk')
})
