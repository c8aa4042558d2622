import t from 'tap'
import { read, serve } from '../books.js'

/** A document in which a schema stands for a body, a parameter, a header and a response. */
const everywhere = (schema: unknown, schemas: object = {}) =>
  read({
    paths: {
      '/books': {
        put: {
          operationId: 'putBook',
          parameters: ['query', 'header', 'cookie'].map((where) => ({ name: `in-${where}`, in: where, schema })),
          requestBody: { content: { 'application/json': { schema } } },
          responses: {
            200: { description: 'It.', headers: { Any: { schema } }, content: { 'application/json': { schema } } }
          }
        }
      }
    },
    components: { schemas }
  })

t.test('true allows every value and false none, wherever a schema may stand', async (t) => {
  for (const [schema, schemas] of [
    [true, {}],
    [{ $ref: '#/components/schemas/Any' }, { Any: true }]
  ] as const) {
    const { call } = await serve(t, await everywhere(schema, schemas), { putBook: ({ body }) => body })
    t.match(await call('PUT', '/books?in-query=a', '{"a":1}', { 'in-header': 'b' }), { status: 200, text: '{"a":1}' })
  }
  for (const [schema, schemas] of [
    [false, {}],
    [{ $ref: '#/components/schemas/None' }, { None: false }]
  ] as const) {
    const { call } = await serve(t, await everywhere(schema, schemas), { putBook: () => null })
    t.match(await call('PUT', '/books', '{"a":1}'), {
      status: 400,
      json: { message: 'The body has a value that is not allowed.' }
    })
    t.equal((await call('PUT', '/books?in-query=a')).status, 400)
    t.equal((await call('PUT', '/books')).status, 200)
  }
})

t.test('a property or an item may have a boolean schema', async (t) => {
  for (const [schema, good, bad] of [
    [{ properties: { a: true, b: false } }, '{"a":1}', '{"b":1}'],
    [{ items: false }, '[]', '[1]'],
    [{ additionalProperties: true, propertyNames: false }, '{}', '{"a":1}']
  ] as const) {
    const { call } = await serve(t, await everywhere(schema), { putBook: ({ body }) => body })
    t.match(await call('PUT', '/books', good), { status: 200, text: good })
    t.equal((await call('PUT', '/books', bad)).status, 400, bad)
  }
})
