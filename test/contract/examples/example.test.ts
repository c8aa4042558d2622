import t from 'tap'
import { ContractError } from '../../../src/contract/document/contract-error.js'
import type { Document } from '../../../src/contract/document/openapi.js'
import { exampleHeadersOf } from '../../../src/contract/examples/example.js'
import { exampleHandlersOf } from '../../../src/contract/examples/handlers.js'
import { operationsOf } from '../../../src/contract/operation/operation.js'
import { startMock } from '../../support/mock.js'
import { read, serve } from '../books.js'

const book = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string', minLength: 1 }, pages: { type: 'integer', format: 'int64', default: 1 } }
}

/** A document with GET /books and these responses. */
function answering (responses: object, components: object = {}, openapi?: string): Promise<Document> {
  return read({ paths: { '/books': { get: { operationId: 'getBook', responses } } }, components }, openapi)
}

const contentOf = (media: object) => ({ 200: { description: 'A book.', content: { 'application/json': media } } })

t.test('an example is that of the body, or else of its schema', async (t) => {
  const value = { title: 'Emma' }
  const ways: [title: string, media: object, components?: object, openapi?: string][] = [
    ['a named one', { schema: book, examples: { emma: { value }, other: { value: { title: 'Other' } } } }],
    [
      'a referenced one',
      { schema: book, examples: { emma: { $ref: '#/components/examples/Emma' } } },
      { examples: { Emma: { value } } }
    ],
    ['one without a name', { schema: book, example: value }],
    ['that of the schema', { schema: { ...book, example: value } }],
    [
      'the first of the schema',
      { schema: { $ref: '#/components/schemas/Book' } },
      { schemas: { Book: { ...book, examples: [value, { title: 'Other' }] } } }
    ],
    [
      'that of a schema of OpenAPI 3.0',
      { schema: { $ref: '#/components/schemas/Book' } },
      { schemas: { Book: { ...book, example: value } } },
      '3.0.3'
    ],
    ['one without a schema', { example: value }],
    ['one with more than its schema says', { schema: {}, example: value }]
  ]
  for (const [title, media, components, openapi] of ways) {
    const document = await answering(contentOf(media), components, openapi)
    t.same(exampleHandlersOf(document, operationsOf(document)).getBook!({ headers: {} }).body, value, title)
  }
})

t.test('an example is sent as it stands in the document', async (t) => {
  const values = {
    object: { title: 'Emma', more: [] },
    null: null,
    text: 'Emma',
    empty: '',
    zero: 0,
    false: false,
    list: [],
    'a, "b"': 'a name of any characters'
  }
  const examples = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]))
  const { fetch } = await startMock(t, {
    document: await answering(contentOf({ schema: { anyOf: [book, {}] }, examples })),
    docs: false
  })
  for (const [name, value] of Object.entries(values)) {
    const prefer = `example=${name.includes(',') ? '"a, \\"b\\""' : name}`
    const { status, text, headers } = await fetch('GET', '/books', { headers: { prefer } })
    t.same(
      [status, text, headers.get('content-type'), headers.get('preference-applied')],
      [200, JSON.stringify(value), 'application/json; charset=utf-8', prefer]
    )
  }
})

t.test('an answer without a body is one to choose', async (t) => {
  const document = await answering({
    204: { description: 'No book.' },
    404: { description: 'None.' },
    default: { description: 'Anything.' }
  })
  const { call } = await serve(t, document, exampleHandlersOf(document, operationsOf(document)))
  for (const [prefer, wanted] of [
    ['', 204],
    ['code=204', 204],
    ['code=404', 404]
  ] as const) {
    const { status, text } = await call('GET', '/books', undefined, { prefer })
    t.same([status, text], [wanted, ''], prefer)
  }
  t.equal(
    (await call('GET', '/books', undefined, { prefer: 'code=500' })).json.message,
    "Header 'Prefer' must name a code or an example of getBook: 204, 404."
  )
})

t.test('an answer that cannot be made stops the start with the operation and the place', async (t) => {
  const place = '#/paths/~1books/get/responses/200'
  for (const [media, message] of [
    [{ schema: book }, `${place}: the answer 200 of getBook has no example to answer with.`],
    [{ schema: book, examples: {} }, `${place}: the answer 200 of getBook has no example to answer with.`],
    [
      { schema: book, examples: { far: { externalValue: 'https://books.example/emma.json' } } },
      `${place}: the answer 200 of getBook has no example to answer with.`
    ],
    [
      { schema: book, examples: { bad: { value: { title: '' } } } },
      `${place}: the example bad of getBook is not as its schema says. Body property 'title' must have at least 1 character.`
    ],
    [
      { schema: book, example: {} },
      `${place}: an example of getBook is not as its schema says. Body property 'title' is required.`
    ]
  ] as const) {
    const document = await answering(contentOf(media))
    t.throws(() => exampleHandlersOf(document, operationsOf(document)), new ContractError(message), message)
  }
})

const limit = { required: true, schema: { type: 'integer' }, example: 60 }

t.test('headers are those of the answer, or else those that every answer has', async (t) => {
  const document = await answering(
    {
      204: {
        description: 'No book.',
        headers: {
          Limit: limit,
          Next: { schema: { type: 'string', example: '</books?page=2>; rel="next"' } },
          Vague: { schema: { type: 'string' } }
        }
      },
      404: {
        description: 'None.',
        headers: {
          Limit: { $ref: '#/components/headers/Limit' },
          Wait: { schema: {}, examples: { short: { value: 1 }, long: { value: 60 } } }
        }
      }
    },
    { headers: { Limit: limit } }
  )
  const operations = operationsOf(document)
  const headersOf = exampleHeadersOf(document, operations)
  t.same(headersOf(operations[0], 204), { Limit: '60', Next: '</books?page=2>; rel="next"' })
  t.same(headersOf(operations[0], 404), { Limit: '60', Wait: '1' })
  t.same(
    [headersOf(operations[0], 500), headersOf(undefined, 404), headersOf()],
    [{ Limit: '60' }, { Limit: '60' }, { Limit: '60' }]
  )
})

t.test('a document without headers and one without operations are served too', async (t) => {
  const { fetch } = await startMock(t, { document: await answering({ 204: { description: 'No book.' } }) })
  t.equal((await fetch('GET', '/books')).status, 204)
  t.equal((await fetch('GET', '/nope')).status, 404)
  const empty = await startMock(t, { document: await read({}) })
  t.equal((await empty.fetch('GET', '/openapi.json')).status, 200)
})

t.test('a required header without an example stops the start with the place', async (t) => {
  const document = await answering({
    204: { description: 'No book.', headers: { Limit: { required: true, schema: { type: 'integer' } } } }
  })
  t.throws(
    () => exampleHeadersOf(document, operationsOf(document)),
    new ContractError(
      '#/paths/~1books/get/responses/204/headers/Limit: the header Limit of getBook is required, but has no example to answer with.'
    )
  )
})
