import t from 'tap'
import { echo, read, serve } from '../books.js'
import { REFS, SCHEMAS } from './branches.js'

t.test('what is only read is not required of a request, what is only written not shown in an answer', async (t) => {
  const schema = {
    type: 'object',
    required: ['id', 'title', 'key', 'shelf'],
    properties: {
      id: { type: 'integer', readOnly: true },
      title: { type: 'string' },
      key: { type: 'string', writeOnly: true },
      shelf: { $ref: '#/components/schemas/Shelf' }
    }
  }
  const content = { 'application/json': { schema } }
  const document = await read({
    paths: {
      '/books': {
        put: { operationId: 'putBook', requestBody: { content }, responses: { 200: { description: 'It.', content } } }
      }
    },
    components: { schemas: { Shelf: { type: 'string', readOnly: true } } }
  })
  const { call } = await serve(t, document, { putBook: ({ body }) => ({ id: 1, shelf: 'A', ...body }) })
  t.equal((await call('PUT', '/books', '{"title":"A","key":"k"}')).text, '{"id":1,"title":"A","shelf":"A"}')
  t.match(await call('PUT', '/books', '{"title":"A"}'), {
    status: 400,
    json: { message: "Body property 'key' is required." }
  })
})

t.test('names of properties and of choices may be those of keywords', async (t) => {
  const { put } = await echo(t, { type: 'object', dependentRequired: { id: ['isbn'], nullable: ['isbn'] } })
  for (const name of ['id', 'nullable']) {
    t.match(
      await put(`{"${name}":1}`),
      { status: 400, json: { message: `Body property 'isbn' is required with '${name}'.` } },
      name
    )
  }
  const byName = await echo(
    t,
    { oneOf: REFS, discriminator: { propertyName: 'kind', mapping: { id: 'Novel', default: 'Poem' } } },
    SCHEMAS
  )
  t.equal((await byName.put('{"kind":"id","pages":1}')).status, 200)
  t.match(await byName.put('{"kind":"default","lines":"x"}'), {
    status: 400,
    json: { message: "Body property 'lines' must be an integer." }
  })
})

t.test('an enum without values refuses every value', async (t) => {
  const { put } = await echo(t, { type: 'object', properties: { a: { type: 'string', enum: [] } } })
  t.equal((await put('{}')).status, 200)
  t.match(await put('{"a":"x"}'), {
    status: 400,
    json: { message: "Body property 'a' has a value that is not allowed." }
  })
})

t.test('what other tools write into schemas is read: patterns, formats, keywords of other drafts', async (t) => {
  const { put } = await echo(t, {
    type: 'object',
    properties: {
      a: { pattern: '^[\\w\\-]+\\@$' },
      b: { pattern: '\\.(?i)(pdf|png)$' },
      c: { format: 'isbn' },
      d: { type: 'string', nullable: true },
      e: { id: 'x', type: 'string' },
      f: { $schema: 'https://json-schema.org/draft/2020-12/schema', minLength: 1 }
    }
  })
  for (const [body, status] of [
    ['{"a":"a-b@"}', 200],
    ['{"a":"a b"}', 400],
    ['{"b":"x.PDF"}', 200],
    ['{"b":"x.txt"}', 400],
    ['{"c":"any"}', 200],
    ['{"d":null}', 400],
    ['{"e":"x"}', 200],
    ['{"f":""}', 400]
  ] as const) {
    t.equal((await put(body)).status, status, body)
  }
})

t.test('a schema that refers to itself through its branches can be a parameter', async (t) => {
  const document = await read({
    paths: {
      '/books': {
        get: {
          operationId: 'listBooks',
          parameters: [
            {
              name: 'filter',
              in: 'query',
              style: 'deepObject',
              explode: true,
              schema: { $ref: '#/components/schemas/Filter' }
            }
          ],
          responses: { 204: { description: 'Done.' } }
        }
      }
    },
    components: {
      schemas: {
        Filter: {
          anyOf: [
            {
              type: 'object',
              properties: { not: { $ref: '#/components/schemas/Filter' }, min: { type: 'integer' } },
              additionalProperties: false
            },
            { type: 'boolean' }
          ]
        }
      }
    }
  })
  const { call, received } = await serve(t, document, { listBooks: () => undefined })
  t.equal((await call('GET', '/books?filter[not][not][min]=1')).status, 204)
  t.same(received().query, { filter: { not: { not: { min: 1 } } } })
})
