import t, { type Test } from 'tap'
import { callAll } from '../../../scripts/documents/call-all.js'
import { samplerOf } from '../../../scripts/documents/sample.js'
import { serveSamples } from '../../../scripts/documents/serve.js'
import type { Document } from '../../../src/contract/document/openapi.js'
import type { Schema } from '../../../src/contract/document/schema.js'
import { Schemas } from '../../../src/contract/document/schemas.js'
import { checksOf } from '../../../src/contract/validation/validator.js'
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
  const sampleOf = samplerOf(schemas, 'response')
  for (const [schema, value] of samples) t.same(sampleOf(schema), { value }, JSON.stringify(schema))
  for (const media of [{ example: '{ "n": "x" }' }, { examples: { a: { value: 'none' } } }]) {
    const { app } = await serve(t, await answeringWith({ schema: OBJECT, ...media }))
    t.match(await app.inject('/books'), { statusCode: 200, body: '{"n":1}' }, JSON.stringify(media))
  }
})

const string = (keywords: object) => ({ type: 'string', ...keywords })
const number = (keywords: object) => ({ type: 'number', ...keywords })
const FORMATS = ['date-time', 'date', 'time', 'duration', 'uuid', 'uri', 'uri-reference', 'email', 'hostname', 'ipv4',
  'ipv6', 'byte', 'json-pointer', 'regex', 'uri-template', 'int32', 'password', 'unknown']

/** Schemas whose least value of each type is not valid. */
const CONSTRAINED: Schema[] = [
  ...FORMATS.map((format) => string({ format })),
  ...[{ exclusiveMinimum: 5 }, { multipleOf: 0.5, minimum: 0.7 }, { exclusiveMinimum: 0, exclusiveMaximum: 0.1 },
    { maximum: -3 }, { not: { const: 0 } }].map(number),
  { type: 'integer', minimum: 7, maximum: 9, multipleOf: 4 },
  ...['^[A-Z]{3}-\\d{4}$', '^(?=.*[A-Z])(?=.*\\d).{8,}$', '^[^\\s]+$'].map((pattern) => string({ pattern })),
  string({ format: 'hostname', minLength: 5, maxLength: 40 }),
  string({ enum: ['a', 'bb'], minLength: 2 }),
  { type: 'array', items: { type: 'integer', minimum: 3 }, minItems: 2, uniqueItems: true },
  { type: 'array', items: { enum: [3, 4] }, minItems: 2, uniqueItems: true },
  { type: 'array', items: { type: 'string' }, minItems: 12 },
  { type: 'array', contains: number({ minimum: 5 }), minContains: 2 },
  { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }], minItems: 2, items: false as never },
  { type: 'object', required: ['a'], properties: { a: { ...OBJECT, required: ['n', 'm'] } } },
  { type: 'object', required: ['a'], properties: { b: number({}) }, dependentRequired: { a: ['b'] } },
  { type: 'object', minProperties: 2, additionalProperties: { type: 'integer' } },
  { type: 'object', properties: { a: number({}), b: number({}) }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  { oneOf: [{ type: 'integer', multipleOf: 2 }, { type: 'integer', multipleOf: 3 }] },
  { allOf: [{ type: 'integer', minimum: 3 }, { maximum: 4 }] },
  { not: { type: 'null' } },
  { type: 'object', required: ['id'], properties: { id: string({ format: 'uuid' }), next: { $ref: '#' } }, $id: 'list' }
]

t.test('a made-up value is valid, and the same one every time', async (t) => {
  for (const schema of CONSTRAINED) {
    const document = await answeringWith({ schema })
    const schemas = new Schemas(document)
    const { schema: read } = document.paths!['/books']!.get!.responses![200]!.content!['application/json']!
    const [one, other] = [samplerOf(schemas, 'response')(read!), samplerOf(schemas, 'response')(read!)]
    t.ok(one && checksOf(schemas)(read!)(one.value), JSON.stringify([schema, one]))
    t.same(one, other)
    const { app } = await serve(t, document)
    const { statusCode, body } = await app.inject('/books')
    t.ok(statusCode === 200 && checksOf(schemas)(read!)(JSON.parse(body)), `${JSON.stringify(schema)}: ${body}`)
  }
})

t.test('a made-up integer may be larger than a number holds', async (t) => {
  const LARGE = 2n ** 53n + 1n
  const bounds = [{ minimum: LARGE }, { exclusiveMinimum: LARGE }, { maximum: -LARGE }]
  const keywords = [{ const: LARGE }, { enum: [LARGE] }, ...bounds]
  for (const schema of keywords.map((one) => ({ type: 'integer', ...one }))) {
    const document = await answeringWith({ schema: { type: 'object', required: ['n'], properties: { n: schema } } })
    const { app, withoutExample } = await serve(t, document)
    t.same(withoutExample, [])
    t.match((await app.inject('/books')).body, /^{"n":-?900719925474099[34]}$/)
  }
})

t.test('a required header is sent with its example or a made-up value', async (t) => {
  const header = (name: string, schema: object, more: object = {}) => ({ [name]: { required: true, schema, ...more } })
  const headers = {
    ...header('Limit', { type: 'integer', exclusiveMinimum: 5 }),
    ...header('Kind', { type: 'string', pattern: '^[a-z]{4}$' }),
    ...header('Shown', { type: 'string' }, { example: 'as shown' }),
    ...header('List', { type: 'array', items: { enum: ['a', 'b'] }, minItems: 2, uniqueItems: true }),
    Json: { required: true, content: { 'application/json': { schema: OBJECT } } },
    Optional: { schema: { type: 'integer' } }
  }
  const responses = { 204: { description: 'Done.', headers } }
  const document = await read({ paths: { '/books': { get: { operationId: 'getBook', responses } } } })
  const sent = (await (await serve(t, document)).app.inject('/books')).headers
  t.ok(Number(sent.limit) > 5)
  t.match(sent, { kind: /^[a-z]{4}$/, shown: 'as shown', list: /^(a,b|b,a)$/, json: '{"n":1}', optional: undefined })
})

t.test('a response without a valid value is named, and its operation answers 501', async (t) => {
  const impossible = { type: 'integer', minimum: 5, maximum: 4 }
  const headers = { Limit: { required: true, schema: impossible } }
  const json = { 'application/json': { schema: { type: 'object', required: ['n'], properties: { n: impossible } } } }
  const responses = { 200: { description: 'A book.', headers, content: json } }
  const document = await read({ paths: { '/books': { get: { operationId: 'getBook', responses } } } })
  const { app, withoutExample } = await serve(t, document)
  t.same(withoutExample, ['getBook: 200 header Limit', 'getBook: 200 application/json'])
  t.match(await app.inject('/books'), { statusCode: 501, body: /No valid example was found: 200 header Limit/ })
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
    t.match(faults, [/^#\/paths\/~1books\/get: 501 .*No valid example was found/], failure)
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
