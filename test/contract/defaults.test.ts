import t from 'tap'
import { checkDefaults } from '../../src/contract/default-check.js'
import { operationsOf } from '../../src/contract/operation/operation.js'
import { DONE, read, serve } from './books.js'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const query = (schema: object) => ({ parameters: [{ name: 'n', in: 'query', schema }] })
const QUERY = '#/paths/~1books/post/parameters/0/schema'
const BODY = '#/paths/~1books/post/requestBody/content/application~1json/schema'

/** A document with POST /books, which has these parts. */
const posting = (operation: object, schemas: object = {}, openapi?: string) =>
  read(
    { paths: { '/books': { post: { operationId: 'addBook', responses: DONE, ...operation } } }, components: { schemas } },
    openapi
  )

const WRONG: [schema: object, fault: string][] = [
  [{ type: 'string', enum: ['a', 'b'], default: 'c' }, 'default: the default must be one of: a, b'],
  [{ type: 'integer', default: '10' }, 'default: the default must be an integer'],
  [{ type: 'string', default: null }, 'default: the default must be a string'],
  [{ type: 'string', format: 'date', default: 'today' }, 'default: the default must be a valid date'],
  [{ type: 'integer', maximum: 5, default: 6 }, 'default: the default must be at most 5'],
  [{ type: 'boolean', default: 'false' }, 'default: the default must be true or false'],
  [
    { type: 'integer', format: 'int64', default: 2 ** 63 },
    'default: the default must be from -9223372036854775808 to 9223372036854775807'
  ],
  [{ type: 'object', required: ['a'], default: {} }, 'default/a: the default is required'],
  [{ type: 'array', items: { type: 'integer' }, default: [1, 'x'] }, 'default/1: the default must be an integer'],
  [{ $ref: '#/components/schemas/Page', default: 0 }, 'default: the default must be at least 1'],
  [{ allOf: [{ $ref: '#/components/schemas/Page' }], default: 'x' }, 'default: the default must be an integer']
]
const Page = { type: 'integer', minimum: 1 }

t.test('a default that its own schema refuses stops the start, with its place', async (t) => {
  for (const [schema, fault] of WRONG) {
    const property = { type: 'object', properties: { deep: { type: 'array', items: { properties: { n: schema } } } } }
    const places: [operation: object, schema: string][] = [
      [query(schema), QUERY],
      [{ parameters: [{ name: 'N', in: 'header', schema }] }, QUERY],
      [{ parameters: [{ name: 'n', in: 'cookie', schema }] }, QUERY],
      [{ parameters: [{ name: 'n', in: 'query', ...json(schema) }] }, QUERY.replace('schema', 'content/application~1json/schema')],
      [{ requestBody: json(property) }, `${BODY}/properties/deep/items/properties/n`]
    ]
    for (const [operation, place] of places) {
      const document = await posting(operation, { Page })
      await t.rejects(serve(t, document, { addBook: () => undefined }), {
        name: 'ContractError',
        message: `${place}/${fault}, by its own schema.`
      })
    }
  }
})

t.test('a default is checked where a reference leads, and beside it', async (t) => {
  const behind = await posting(query({ $ref: '#/components/schemas/Page' }), { Page: { ...Page, default: 0 } })
  t.throws(() => checkDefaults(behind, operationsOf(behind)), {
    message: '#/components/schemas/Page/default: the default must be at least 1, by its own schema.'
  })
  const schema = { $ref: '#/components/schemas/Page', maximum: 3 }
  const limited = await posting(query(schema), { Page: { ...Page, default: 5 } })
  t.throws(() => checkDefaults(limited, operationsOf(limited)), { message: /must be at most 3, by its own schema/ })
})

t.test('a default that fits, and one that no request gets, are served', async (t) => {
  const next = { $ref: '#/components/schemas/Tree' }
  const Tree = { type: 'object', properties: { next, n: { ...Page, default: 1 } } }
  const Part = { type: 'object', required: ['n'], properties: { n: { type: 'integer', default: 2 } }, default: {} }
  const nullable = { type: 'string', nullable: true, default: null }
  const answer = { responses: { 200: { description: 'It.', ...json({ type: 'integer', default: 'x' }) } } }
  for (const document of [
    await posting({ requestBody: json({ $ref: '#/components/schemas/Tree' }) }, { Tree }),
    await posting({ requestBody: json({ type: 'object', properties: { part: Part } }) }),
    await posting(query(nullable), {}, '3.0.3'),
    await posting(answer, { Unused: { type: 'integer', default: 'x' } }),
    await posting({ requestBody: json({ properties: { default: { type: 'string' } }, example: { default: 1 } }) })
  ]) {
    t.doesNotThrow(() => checkDefaults(document, operationsOf(document)))
  }
})
