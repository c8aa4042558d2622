import t from 'tap'
import { readDocument } from '../../../src/contract/document/document.js'
import { jsonTextOf, yamlTextOf } from '../../../src/contract/document-text.js'
import { exampleHandlersOf } from '../../../src/contract/examples/handlers.js'
import { operationsOf } from '../../../src/contract/operation/operation.js'
import { serve, textOf } from '../books.js'

/** 2^53 and the integers after it, of which a number holds only the first. */
const [ROUNDED, LARGE, LARGER] = ['9007199254740992', '9007199254740993', '9007199254740995']
const MAX = '9223372036854775807'

/** A document, as text, whose integers are written as `"@digits"`. */
const exact = (parts: object) => textOf(parts).replace(/"@(-?[\d.e+]+)"/g, '$1')

/** The text of a document with PUT /books, which takes and returns a value of the schema. */
function echoText (schema: object, more: object = {}): string {
  const content = { 'application/json': { schema } }
  const putBook = { operationId: 'putBook', requestBody: { required: true, content }, responses: { 200: { description: 'It.', content } } }
  return exact({ paths: { '/books': { put: { ...putBook, ...more } } } })
}

const KEYWORDS: [schema: object, taken: string[], refused: string[], message: string][] = [
  [{ enum: [`@${LARGE}`, 1] }, [LARGE, '1'], [ROUNDED], `must be one of: ${LARGE}, 1.`],
  [{ const: `@${LARGE}` }, [LARGE, `${LARGE}.0`], [ROUNDED], `must be one of: ${LARGE}.`],
  [{ minimum: `@${LARGE}` }, [LARGE, LARGER], [ROUNDED, '1'], `must be at least ${LARGE}.`],
  [{ maximum: `@${LARGE}` }, [LARGE, '1'], [LARGER], `must be at most ${LARGE}.`],
  [{ exclusiveMinimum: `@${LARGE}` }, [LARGER], [LARGE], `must be more than ${LARGE}.`],
  [{ exclusiveMaximum: `@${LARGE}` }, [ROUNDED], [LARGE], `must be less than ${LARGE}.`],
  [{ multipleOf: `@${LARGE}` }, [LARGE, '0'], [ROUNDED], `must be a multiple of ${LARGE}.`],
  [{ allOf: [{ minimum: `@${LARGE}` }] }, [LARGE], [ROUNDED], `must be at least ${LARGE}.`],
  [{ anyOf: [{ const: `@${LARGE}` }] }, [LARGE], [ROUNDED], `must be one of: ${LARGE}.`],
  [{ not: { const: `@${LARGE}` } }, [ROUNDED, LARGER], [LARGE], 'has a value that is not allowed.']
]

t.test('keywords with integers above 2^53 are exact, in YAML and JSON', async (t) => {
  for (const types of [{ type: 'integer', format: 'int64' }, { type: 'integer' }, {}]) {
    for (const [schema, taken, refused, message] of KEYWORDS) {
      const text = echoText({ type: 'object', properties: { n: { ...types, ...schema } } })
      const inJson = await readDocument(text)
      const document = 'format' in types ? inJson : await readDocument(await yamlTextOf(inJson))
      const { call } = await serve(t, document, { putBook: ({ body }) => body })
      for (const n of taken) {
        const { status, text } = await call('PUT', '/books', `{"n":${n}}`)
        t.same([status, text], [200, `{"n":${n.replace('.0', '')}}`], `${n} ${JSON.stringify([types, schema])}`)
      }
      for (const n of refused) {
        const reply = { status: 400, json: { message: `Body property 'n' ${message}` } }
        t.match(await call('PUT', '/books', `{"n":${n}}`), reply, `${n} ${JSON.stringify([types, schema])}`)
      }
    }
  }
})

t.test('values within values are exact, and sizes above 2^53 are sizes', async (t) => {
  const text = echoText({
    type: 'object',
    properties: {
      book: { const: { isbn: [`@${LARGE}`] } },
      title: { type: 'string', minLength: 1, maxLength: `@${MAX}` },
      tags: { type: 'array', maxItems: `@${MAX}`, contains: { type: 'string' }, minContains: 1, maxContains: `@${MAX}` }
    },
    maxProperties: `@${MAX}`
  })
  const { call } = await serve(t, await readDocument(text), { putBook: ({ body }) => body })
  for (const body of [`{"book":{"isbn":[${LARGE}]}}`, '{"title":"x","tags":["x"]}']) {
    t.equal((await call('PUT', '/books', body)).text, body)
  }
  for (const body of [`{"book":{"isbn":[${ROUNDED}]}}`, '{"title":""}', '{"tags":[]}']) {
    t.equal((await call('PUT', '/books', body)).status, 400, body)
  }
})

t.test('defaults are exact, in parameters and bodies', async (t) => {
  const schema = { type: 'integer', format: 'int64', default: `@${MAX}` }
  const n = { type: 'object', properties: { n: schema, deep: { default: { a: [`@${LARGE}`] } } } }
  const parameters = ['query', 'header', 'cookie'].map((where) => ({ name: 'n', in: where, schema }))
  const document = await readDocument(echoText(n, { parameters }))
  const { call, received } = await serve(t, document, {
    putBook: ({ body, query, headers }) => ({ ...body, ...query, ...(headers.n === query.n ? {} : { n: 0 }) })
  })
  t.equal((await call('PUT', '/books', '{}')).text, `{"n":${MAX},"deep":{"a":[${LARGE}]}}`)
  t.same(received().query, { n: BigInt(MAX) })
})

t.test('an answer may have the listed integers only', async (t) => {
  const document = await readDocument(echoText({ enum: [`@${LARGE}`, `@${MAX}`, 5] }))
  const answers = [BigInt(LARGE), 5n, 5, BigInt(ROUNDED), Number(ROUNDED)]
  const { call } = await serve(t, document, { putBook: () => answers.shift() })
  const texts = []
  while (answers.length > 0) texts.push((await call('PUT', '/books', '5')).text)
  t.same(texts.slice(0, 3), [LARGE, '5', '5'])
  for (const text of texts.slice(3)) t.match(text, /Internal Server Error|500/)
})

t.test('the text of a document keeps every digit, also of examples and extensions', async (t) => {
  const text = exact({
    'x-limit': `@${LARGE}`,
    components: { schemas: { A: { example: { n: `@-${LARGE}` }, examples: [`@${MAX}`] } } }
  })
  const document = await readDocument(text)
  t.equal(jsonTextOf(document), text)
  t.equal(jsonTextOf(await readDocument(await yamlTextOf(document))), text)
})

t.test('an example is answered digit for digit', async (t) => {
  const content = { 'application/json': { schema: { type: 'integer', format: 'int64' }, example: `@${MAX}` } }
  const getBook = { operationId: 'getBook', responses: { 200: { description: 'It.', content } } }
  const document = await readDocument(exact({ paths: { '/books': { get: getBook } } }))
  const handlers = exampleHandlersOf(document, operationsOf(document))
  const { call } = await serve(t, document, handlers as never)
  t.equal((await call('GET', '/books')).text, MAX)
})

t.test('a number that would be changed is refused, with its place', async (t) => {
  const refusal = (place: string) => ({
    name: 'ContractError',
    message: `#/${place}: the number is too large, or has too many digits, to be exact.`
  })
  for (const number of ['1e400', '-1e400', '1e-400', '1.00000000000000000001']) {
    await t.rejects(readDocument(`{"openapi":"3.1.0","a/b":[${number}]}`), refusal('a~1b/0'), number)
    await t.rejects(readDocument(`openapi: 3.1.0\na/b: [${number}]`), refusal('a~1b/0'), number)
  }
  await t.rejects(readDocument('openapi: 3.1.0\nx: .inf'), refusal('x'))
})
