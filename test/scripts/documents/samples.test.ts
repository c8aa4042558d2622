import t, { type Test } from 'tap'
import { callAll } from '../../../scripts/documents/call-all.js'
import { sampleOf } from '../../../scripts/documents/sample.js'
import { serveSamples } from '../../../scripts/documents/serve.js'
import type { Document } from '../../../src/contract/document/openapi.js'
import type { Schema } from '../../../src/contract/document/schema.js'
import { Schemas } from '../../../src/contract/document/schemas.js'
import { read } from '../../contract/books.js'

const OBJECT = { type: 'object', required: ['n'], properties: { n: { type: 'integer', minimum: 1 } } }

/** A document whose GET /books answers with a body of JSON. */
const answeringWith = (media: object, components: object = {}) =>
  read({
    paths: {
      '/books': {
        get: {
          operationId: 'listBooks',
          responses: { 200: { description: 'Books.', content: { 'application/json': media } } }
        }
      }
    },
    components
  })

async function serve (t: Test, document: Document) {
  const server = await serveSamples(document)
  t.teardown(() => server.app.close())
  return server
}

t.test('an answer is an example of the media type, by itself, by name or by reference', async (t) => {
  const examples = { Two: { value: { n: 2 } } }
  for (const media of [
    { example: { n: 2 } },
    { examples: { two: { value: { n: 2 } } } },
    { examples: { elsewhere: { externalValue: 'https://example.com/2.json' }, two: { value: { n: 2 } } } },
    { examples: { two: { $ref: '#/components/examples/Two' } } },
    { examples: { nowhere: { $ref: '#/components/examples/Three' }, two: { value: { n: 2 } } } },
    { schema: { ...OBJECT, example: { n: 2 } } }
  ]) {
    const { app } = await serve(t, await answeringWith({ schema: OBJECT, ...media }, { examples }))
    t.same((await app.inject('/books')).json(), { n: 2 }, JSON.stringify(media))
  }
})

t.test('an example that contradicts its schema is read as JSON, or else the least value answers', async (t) => {
  const schemas = new Schemas(await read({}))
  const samples: [schema: Schema, sample: unknown][] = [
    [{ ...OBJECT, example: '{ "n": 2 }' }, { n: 2 }],
    [{ ...OBJECT, example: '{ "n": ' }, { n: 1 }],
    [{ ...OBJECT, example: '[]' }, { n: 1 }],
    [{ ...OBJECT, example: { n: '2' } }, { n: 2 }],
    [{ ...OBJECT, example: { n: 'two' } }, { n: 1 }],
    [{ ...OBJECT, example: { n: null } }, { n: 1 }],
    [{ type: 'integer', example: '12' }, 12],
    [{ type: 'integer', example: 1.5, default: 3 }, 3],
    [{ type: 'number', example: 1 }, 1],
    [{ type: 'string', example: '12' }, '12'],
    [{ type: 'string', example: 12 }, ''],
    [{ type: 'string', enum: ['a', 'b'], example: 'c' }, 'a'],
    [{ const: 'a', example: 'b' }, 'a'],
    [{ type: 'array', items: { type: 'integer' }, example: '[1,"2"]' }, [1, 2]],
    [{ type: 'array', example: { a: 1 } }, []],
    [{ example: { a: [1] } }, { a: [1] }]
  ]
  for (const [schema, sample] of samples) t.same(sampleOf(schemas, schema), sample, JSON.stringify(schema))
  for (const media of [{ example: '{ "n": "x" }' }, { examples: { a: { value: 'none' } } }]) {
    const { app } = await serve(t, await answeringWith({ schema: OBJECT, ...media }))
    t.match(await app.inject('/books'), { statusCode: 200, body: '{"n":1}' }, JSON.stringify(media))
  }
})

t.test('a failure of the app is a fault, though the document declares its status', async (t) => {
  // No value of this schema has an end.
  const Endless = { type: 'object', required: ['next'], properties: { next: { $ref: '#/components/schemas/Endless' } } }
  const json = { 'application/json': { schema: { $ref: '#/components/schemas/Endless' } } }
  for (const failure of ['500', '5XX', 'default']) {
    const responses = { 200: { description: 'A book.', content: json }, [failure]: { description: 'A failure.' } }
    const document = await read({
      paths: { '/books': { get: { operationId: 'getBook', responses } } },
      components: { schemas: { Endless } }
    })
    const { counts, faults } = await callAll(await serve(t, document), document)
    t.same(counts, { '5xx': 1 })
    t.match(faults, [/^#\/paths\/~1books\/get: 500 .*'next[.next]*' is required/], failure)
  }
})

t.test('an answer of 5xx that is all that the document declares is no fault', async (t) => {
  for (const status of ['503', '5XX']) {
    const document = await read({
      paths: { '/books': { get: { operationId: 'getBook', responses: { [status]: { description: 'Closed.' } } } } }
    })
    t.same(await callAll(await serve(t, document), document), { counts: { '5xx': 1 }, faults: [] }, status)
  }
})

t.test('bodies that are not checked are named', async (t) => {
  const content = { 'application/yaml': { schema: OBJECT }, 'application/json': { schema: OBJECT } }
  const putBook = { operationId: 'putBook', requestBody: { content }, responses: { 204: { description: 'Done.' } } }
  const { unchecked } = await serve(t, await read({ paths: { '/books': { put: putBook } } }))
  t.same(unchecked, ['putBook: application/yaml'])
})
