import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { breakingChanges } from '../../scripts/compatibility/document.js'
import { changesOf } from '../../scripts/compatibility/schema.js'
import { ContractError } from '../../src/contract/document/contract-error.js'
import { readDocument } from '../../src/contract/document/document.js'
import type { Document } from '../../src/contract/document/openapi.js'
import type { Schema } from '../../src/contract/document/schema.js'
import { Schemas } from '../../src/contract/document/schemas.js'
import { checksOf } from '../../src/contract/validation/validator.js'
import { read } from '../contract/books.js'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const released = await read({
  servers: [{ url: '/{version}', variables: { version: { default: 'v1' } } }],
  security: [{ reader: [] }],
  paths: {
    '/books': {
      get: {
        operationId: 'listBooks',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
          { name: 'genre', in: 'query', schema: to('Genre') },
          { name: 'tag', in: 'query', schema: { type: 'array', maxItems: 5, items: { type: 'string' } } },
          { name: 'X-Reader', in: 'header', schema: { type: 'string' } }
        ],
        responses: {
          200: {
            description: 'Books.',
            headers: { Link: { schema: { type: 'string' } }, 'X-Total': { $ref: '#/components/headers/Total' } },
            ...json({ type: 'array', items: to('Book') })
          },
          400: { $ref: '#/components/responses/Error' },
          404: { $ref: '#/components/responses/Error' }
        }
      },
      post: {
        operationId: 'addBook',
        requestBody: { required: true, ...json(to('NewBook')) },
        responses: {
          201: { description: 'Added.', ...json(to('Book')) },
          default: { $ref: '#/components/responses/Error' }
        }
      }
    },
    '/books/{bookId}': {
      parameters: [{ name: 'bookId', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } }],
      get: {
        operationId: 'getBook',
        deprecated: true,
        'x-deprecated-since': '2026-01-01',
        'x-deprecated-sunset': '2027-01-01',
        security: [{ reader: [] }, { badge: ['books:read'] }],
        responses: { 200: { description: 'The book.', ...json(to('Book')) } }
      },
      put: {
        operationId: 'noteBook',
        'x-stability': 'beta',
        requestBody: json({ type: ['string', 'null'] }),
        responses: { 204: { description: 'Noted.' } }
      },
      delete: { operationId: 'burnBook', 'x-stability': 'experimental', responses: { 204: { description: 'Burnt.' } } }
    },
    '/health': {
      get: {
        operationId: 'isOpen',
        security: [],
        responses: {
          200: {
            description: 'Open.',
            ...json({ type: 'object', additionalProperties: false, properties: { open: { type: 'boolean' } } })
          }
        }
      }
    }
  },
  components: {
    securitySchemes: {
      reader: { type: 'http', scheme: 'bearer' },
      badge: { type: 'apiKey', in: 'header', name: 'X-Badge' },
      other: { type: 'http', scheme: 'Bearer' }
    },
    headers: { Total: { required: true, schema: { type: 'integer', minimum: 0 } } },
    responses: { Error: { description: 'An error.', ...json(to('Error')) } },
    schemas: {
      Genre: { type: 'string', enum: ['novel', 'poem'] },
      NewBook: {
        type: 'object',
        required: ['title'],
        additionalProperties: false,
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 100 },
          genre: to('Genre'),
          pages: { type: 'integer' },
          price: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.01 },
          isbn: { type: ['string', 'null'] },
          tags: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' } },
          names: { type: 'object', additionalProperties: { type: 'string' } },
          binding: {
            anyOf: [
              { type: 'string', format: 'uuid' },
              { type: 'object', properties: { colour: { type: 'string' } } }
            ]
          }
        }
      },
      Book: {
        type: 'object',
        required: ['id', 'title'],
        properties: {
          id: { type: 'integer', format: 'int64' },
          title: { type: 'string' },
          genre: to('Genre'),
          pages: { type: 'integer', format: 'int32', minimum: 1 },
          addedAt: { allOf: [{ type: 'string' }, { format: 'date-time' }] },
          sequel: to('Book'),
          loan: { oneOf: [to('Loan'), { type: 'null' }] },
          names: { type: 'object', additionalProperties: { type: 'string' } }
        }
      },
      Loan: {
        type: 'object',
        required: ['reader'],
        properties: { reader: { type: 'string' }, until: { type: 'string', format: 'date' } }
      },
      Error: {
        type: 'object',
        required: ['code'],
        properties: { code: { type: 'string', description: 'More values may come.' }, message: { type: 'string' } }
      }
    }
  }
})
const TODAY = new Date('2026-06-01T00:00:00Z')

type Edit = (document: any) => unknown
const listBooks = (document: any) => document.paths['/books'].get
const addBook = (document: any) => document.paths['/books'].post
const oneBook = (document: any) => document.paths['/books/{bookId}']
const schemas = (document: any) => document.components.schemas
const sent = (document: any) => schemas(document).NewBook.properties
const given = (document: any) => schemas(document).Book.properties
const parameter = (document: any, name: string) => listBooks(document).parameters.find((one: any) => one.name === name)
const without = (list: any[], ...names: unknown[]) =>
  list.filter((one) => !names.includes(one) && !names.includes(one.name))
/** The same for each operation that answers with a book. */
const ofEveryBook = (rest: string) => [
  `listBooks: Property '[].${rest}`.replace('$', '200'),
  `addBook: Property '${rest}`.replace('$', '201'),
  `getBook: Property '${rest}`.replace('$', '200')
]

function after (edit: Edit, document: Document = released, today = TODAY): string[] {
  const changed = structuredClone(document)
  edit(changed)
  return breakingChanges(document, changed, today)
}

const BREAKING: [title: string, edit: Edit, sentences: string[]][] = [
  // Operations.
  [
    'an operation is removed',
    (d) => {
      delete d.paths['/books'].post
    },
    ['addBook: POST /books is removed.']
  ],
  [
    'a path is removed',
    (d) => {
      delete d.paths['/health']
    },
    ['isOpen: GET /health is removed.']
  ],
  [
    'a deprecated operation is removed before its sunset',
    (d) => {
      delete oneBook(d).get
    },
    ['getBook: GET /books/{bookId} is removed.']
  ],
  [
    'a path is renamed',
    (d) => {
      d.paths['/status'] = d.paths['/health']
      delete d.paths['/health']
    },
    ['isOpen: GET /health is now GET /status.']
  ],
  [
    'a path parameter is renamed',
    (d) => {
      d.paths['/books/{id}'] = oneBook(d)
      oneBook(d).parameters[0].name = 'id'
      delete d.paths['/books/{bookId}']
    },
    ['getBook: GET /books/{bookId} is now GET /books/{id}.', 'noteBook: PUT /books/{bookId} is now PUT /books/{id}.']
  ],
  [
    'another method',
    (d) => {
      d.paths['/books'].put = addBook(d)
      delete d.paths['/books'].post
    },
    ['addBook: POST /books is now PUT /books.']
  ],
  [
    'another operationId',
    (d) => {
      addBook(d).operationId = 'createBook'
    },
    ['addBook: The operationId of POST /books is now createBook.']
  ],
  [
    'a deprecation that comes after its sunset',
    (d) => {
      Object.assign(addBook(d), {
        deprecated: true,
        'x-deprecated-since': '2020-01-01',
        'x-deprecated-sunset': '2020-06-01'
      })
    },
    ['addBook: The operation is deprecated with a sunset that has passed, 2020-06-01.']
  ],
  [
    'a sooner sunset',
    (d) => {
      oneBook(d).get['x-deprecated-sunset'] = '2026-12-01'
    },
    ['getBook: The sunset is now 2026-12-01, no longer 2027-01-01.']
  ],
  [
    'less stable',
    (d) => {
      oneBook(d).put['x-stability'] = 'experimental'
    },
    ['noteBook: The operation is now experimental, no longer beta.']
  ],
  [
    'no longer stable',
    (d) => {
      addBook(d)['x-stability'] = 'beta'
    },
    ['addBook: The operation is now beta, no longer stable.']
  ],
  [
    'another server',
    (d) => {
      d.servers[0].url = '/v2'
    },
    ['The server /v1 is removed.']
  ],
  [
    'another default of a server variable',
    (d) => {
      d.servers[0].variables.version.default = 'v2'
    },
    ['The server /v1 is removed.']
  ],
  [
    'no server',
    (d) => {
      delete d.servers
    },
    ['The server /v1 is removed.']
  ],
  // What generated types call by name.
  [
    'a schema loses its name',
    (d) => {
      given(d).loan.oneOf[0] = schemas(d).Loan
      delete schemas(d).Loan
    },
    ['The schema Loan is removed; generated types have its name.']
  ],
  // Security.
  [
    'an open operation asks for a key',
    (d) => {
      delete d.paths['/health'].get.security
    },
    ['isOpen: A call with no credentials is now refused; it needs http bearer.']
  ],
  [
    'a scope more',
    (d) => {
      listBooks(d).security = [{ reader: ['books:read'] }]
    },
    ['listBooks: A call with http bearer is now refused; it needs http bearer and the scope books:read.']
  ],
  [
    'one alternative less',
    (d) => {
      oneBook(d).get.security.shift()
    },
    [
      "getBook: A call with http bearer is now refused; it needs the API key 'X-Badge' (header) and the scope books:read."
    ]
  ],
  [
    'a scheme more',
    (d) => {
      addBook(d).security = [{ reader: [], badge: [] }]
    },
    ["addBook: A call with http bearer is now refused; it needs http bearer and the API key 'X-Badge' (header)."]
  ],
  [
    'another scheme of the same name',
    (d) => {
      d.components.securitySchemes.badge.name = 'X-Key'
    },
    [
      "getBook: A call with the API key 'X-Badge' (header) and the scope books:read is now refused; it needs http bearer, or the API key 'X-Key' (header) and the scope books:read."
    ]
  ],
  // Parameters.
  [
    'a parameter is removed',
    (d) => {
      listBooks(d).parameters = without(listBooks(d).parameters, 'genre')
    },
    ["listBooks: Query parameter 'genre' is removed."]
  ],
  [
    'a header is removed',
    (d) => {
      listBooks(d).parameters = without(listBooks(d).parameters, 'X-Reader')
    },
    ["listBooks: Header 'X-Reader' is removed."]
  ],
  [
    'a parameter moves',
    (d) => {
      parameter(d, 'X-Reader').in = 'query'
    },
    ["listBooks: Header 'X-Reader' is removed."]
  ],
  [
    'a new parameter is required',
    (d) => {
      listBooks(d).parameters.push({ name: 'shelf', in: 'query', required: true, schema: { type: 'string' } })
    },
    ["listBooks: Query parameter 'shelf' is now required."]
  ],
  [
    'an old parameter is required',
    (d) => {
      parameter(d, 'genre').required = true
    },
    ["listBooks: Query parameter 'genre' is now required."]
  ],
  [
    'a lower maximum',
    (d) => {
      parameter(d, 'limit').schema.maximum = 50
    },
    ["listBooks: Query parameter 'limit' can no longer be more than 50."]
  ],
  [
    'an open bound',
    (d) => {
      parameter(d, 'limit').schema.exclusiveMinimum = 1
    },
    ["listBooks: Query parameter 'limit' can no longer be less than 2."]
  ],
  [
    'another default',
    (d) => {
      parameter(d, 'limit').schema.default = 10
    },
    ["listBooks: Query parameter 'limit' has the default 10, no longer 20."]
  ],
  [
    'a default where there was none',
    (d) => {
      sent(d).pages.default = 1
    },
    ["addBook: Body property 'pages' now has the default 1."]
  ],
  [
    'no default',
    (d) => {
      delete parameter(d, 'limit').schema.default
    },
    ["listBooks: Query parameter 'limit' no longer has the default 20."]
  ],
  [
    'fewer items',
    (d) => {
      parameter(d, 'tag').schema.maxItems = 3
    },
    ["listBooks: Query parameter 'tag' can no longer have more than 3 items."]
  ],
  [
    'items of another type',
    (d) => {
      parameter(d, 'tag').schema.items.type = 'integer'
    },
    ["listBooks: Query parameter 'tag[]' can no longer be a string."]
  ],
  [
    'one value instead of a list',
    (d) => {
      parameter(d, 'tag').schema = { type: 'string' }
    },
    ["listBooks: Query parameter 'tag' can no longer be an array."]
  ],
  [
    'a smaller integer',
    (d) => {
      oneBook(d).parameters[0].schema.format = 'int32'
    },
    ['get', 'note'].flatMap((id) =>
      ['less than -2147483648', 'more than 2147483647'].map(
        (bound) => `${id}Book: Path parameter 'bookId' can no longer be ${bound}.`
      )
    )
  ],
  // Request bodies.
  [
    'the body is required',
    (d) => {
      oneBook(d).put.requestBody.required = true
    },
    ['noteBook: The body is now required.']
  ],
  [
    'a body is asked for',
    (d) => {
      listBooks(d).operationId = 'searchBooks'
      d.paths['/books'].put = {
        ...listBooks(d),
        operationId: 'listBooks',
        requestBody: { required: true, ...json({}) }
      }
    },
    ['listBooks: GET /books is now PUT /books.', 'listBooks: The body is now required.']
  ],
  [
    'the body is removed',
    (d) => {
      delete oneBook(d).put.requestBody
    },
    ['noteBook: The body is removed.']
  ],
  [
    'the body may not be null',
    (d) => {
      oneBook(d).put.requestBody.content['application/json'].schema.type = 'string'
    },
    ['noteBook: The body can no longer be null.']
  ],
  [
    'a property is removed',
    (d) => {
      delete sent(d).pages
    },
    ["addBook: Body property 'pages' is removed."]
  ],
  [
    'a property is removed from an open body',
    (d) => {
      delete sent(d).pages
      delete schemas(d).NewBook.additionalProperties
    },
    ["addBook: Body property 'pages' is removed."]
  ],
  [
    'a property is renamed',
    (d) => {
      sent(d).pageCount = sent(d).pages
      delete sent(d).pages
    },
    ["addBook: Body property 'pages' is removed."]
  ],
  [
    'an old property is required',
    (d) => {
      schemas(d).NewBook.required.push('genre')
    },
    ["addBook: Body property 'genre' is now required."]
  ],
  [
    'a new property is required',
    (d) => {
      sent(d).author = { type: 'string' }
      schemas(d).NewBook.required.push('author')
    },
    ["addBook: Body property 'author' is now required."]
  ],
  [
    'one type less',
    (d) => {
      sent(d).isbn.type = 'string'
    },
    ["addBook: Body property 'isbn' can no longer be null."]
  ],
  [
    'whole numbers only',
    (d) => {
      sent(d).price = { type: 'integer', exclusiveMinimum: 0 }
    },
    ["addBook: Body property 'price' can no longer be a fraction."]
  ],
  [
    'a longer minimum',
    (d) => {
      sent(d).title.minLength = 2
    },
    ["addBook: Body property 'title' can no longer have fewer than 2 characters."]
  ],
  [
    'not empty',
    (d) => {
      sent(d).tags.minItems = 1
    },
    ["addBook: Body property 'tags' can no longer be empty."]
  ],
  [
    'no item twice',
    (d) => {
      sent(d).tags.uniqueItems = true
    },
    ["addBook: Body property 'tags' can no longer hold an item twice."]
  ],
  [
    'a pattern',
    (d) => {
      sent(d).title.pattern = '^[A-Z]'
    },
    ["addBook: Body property 'title' can no longer be something that does not match ^[A-Z]."]
  ],
  [
    'another pattern',
    (d) => {
      sent(d).tags.items.pattern = '^[a-y]+$'
    },
    ["addBook: Body property 'tags[]' can no longer be something that does not match ^[a-y]+$."]
  ],
  [
    'a format',
    (d) => {
      sent(d).title.format = 'uri'
    },
    ["addBook: Body property 'title' can no longer be something other than a valid uri."]
  ],
  [
    'coarser steps',
    (d) => {
      sent(d).price.multipleOf = 0.05
    },
    ["addBook: Body property 'price' can no longer be something other than a multiple of 0.05."]
  ],
  [
    'a bound of a number',
    (d) => {
      sent(d).price.maximum = 99.5
    },
    ["addBook: Body property 'price' can no longer be more than 99.5."]
  ],
  [
    'an enumeration',
    (d) => {
      sent(d).title.enum = ['Emma', 'Ulysses']
    },
    ["addBook: Body property 'title' can no longer be something other than 'Emma', 'Ulysses'."]
  ],
  [
    'a map of something else',
    (d) => {
      sent(d).names.additionalProperties = { type: 'integer' }
    },
    ["addBook: Body property 'names.*' can no longer be a string."]
  ],
  [
    'an object is closed',
    (d) => {
      sent(d).binding.anyOf[1].additionalProperties = false
    },
    ["addBook: Body property 'binding' can no longer have properties that are not declared."]
  ],
  [
    'a choice less',
    (d) => {
      sent(d).binding.anyOf.pop()
    },
    ["addBook: Body property 'binding' can no longer be an object."]
  ],
  [
    'a change within a choice',
    (d) => {
      sent(d).binding.anyOf[1].properties.colour.type = 'integer'
    },
    ["addBook: Body property 'binding.colour' can no longer be a string."]
  ],
  [
    'a property may not be there',
    (d) => {
      sent(d).pages = false
    },
    ["addBook: Body property 'pages' can no longer be present."]
  ],
  [
    'a keyword that is not understood',
    (d) => {
      sent(d).title.not = { const: 'Untitled' }
    },
    ["addBook: Body property 'title' can no longer be something that its 'not' rules out."]
  ],
  // Both ways.
  [
    'one value less',
    (d) => {
      schemas(d).Genre.enum.pop()
    },
    [
      "listBooks: Query parameter 'genre' can no longer be 'poem'.",
      "addBook: Body property 'genre' can no longer be 'poem'."
    ]
  ],
  [
    'one value more',
    (d) => {
      schemas(d).Genre.enum.push('essay')
    },
    ofEveryBook("genre' of the $ answer may now be 'essay'.")
  ],
  // Answers.
  [
    'another status of success',
    (d) => {
      addBook(d).responses[200] = addBook(d).responses[201]
      delete addBook(d).responses[201]
    },
    ['addBook: Success is now answered with 200, no longer with 201.']
  ],
  [
    'no body',
    (d) => {
      delete listBooks(d).responses[200].content
    },
    ['listBooks: The body of the 200 answer is removed.']
  ],
  [
    'an object instead of a list',
    (d) => {
      listBooks(d).responses[200].content['application/json'].schema = {
        type: 'object',
        properties: { items: { type: 'array', items: to('Book') } }
      }
    },
    ['listBooks: The body of the 200 answer may now be an object.']
  ],
  [
    'a header is not promised',
    (d) => {
      d.components.headers.Total.required = false
    },
    ["listBooks: Header 'X-Total' of the 200 answer may now be missing."]
  ],
  [
    'a header is no longer declared',
    (d) => {
      delete listBooks(d).responses[200].headers.Link
    },
    ["listBooks: Header 'Link' of the 200 answer is removed."]
  ],
  [
    'a header of another type',
    (d) => {
      d.components.headers.Total.schema.type = 'number'
    },
    ["listBooks: Header 'X-Total' of the 200 answer may now be a fraction."]
  ],
  [
    'a property is no longer declared',
    (d) => {
      delete given(d).pages
    },
    ofEveryBook("pages' of the $ answer is removed.")
  ],
  [
    'a promised property is no longer declared',
    (d) => {
      delete given(d).title
      schemas(d).Book.required.pop()
    },
    ofEveryBook("title' of the $ answer is removed.")
  ],
  [
    'a property is no longer promised',
    (d) => {
      schemas(d).Book.required.pop()
    },
    ofEveryBook("title' of the $ answer may now be missing.")
  ],
  [
    'a property may be null',
    (d) => {
      given(d).title.type = ['string', 'null']
    },
    ofEveryBook("title' of the $ answer may now be null.")
  ],
  [
    'a property may be anything',
    (d) => {
      delete given(d).title.type
    },
    ofEveryBook("title' of the $ answer may now be something other than a string.")
  ],
  [
    'a larger integer',
    (d) => {
      given(d).pages.format = 'int64'
    },
    ofEveryBook("pages' of the $ answer may now be more than 2147483647.")
  ],
  [
    'a choice more',
    (d) => {
      given(d).loan.oneOf.push({ type: 'string' })
    },
    ofEveryBook("loan' of the $ answer may now be a string.")
  ],
  [
    'within a choice',
    (d) => {
      schemas(d).Loan.required = []
    },
    ofEveryBook("loan.reader' of the $ answer may now be missing.")
  ],
  [
    'a format is not promised',
    (d) => {
      given(d).addedAt.allOf.pop()
    },
    ofEveryBook("addedAt' of the $ answer may now be something other than a valid date-time.")
  ],
  [
    'a map of something more',
    (d) => {
      given(d).names.additionalProperties = {}
    },
    ofEveryBook("names.*' of the $ answer may now be something other than a string.")
  ],
  [
    'a property more in a closed object',
    (d) => {
      d.paths['/health'].get.responses[200].content['application/json'].schema.properties.since = { type: 'string' }
    },
    ["isOpen: Property 'since' of the 200 answer may now be present."]
  ],
  [
    'a closed object is opened',
    (d) => {
      delete d.paths['/health'].get.responses[200].content['application/json'].schema.additionalProperties
    },
    ['isOpen: The body of the 200 answer may now have properties that are not declared.']
  ],
  [
    'the body of errors',
    (d) => {
      schemas(d).Error.required = []
    },
    [
      "listBooks: Property 'code' of the 400 and 404 answers may now be missing.",
      "addBook: Property 'code' of the default answer may now be missing."
    ]
  ],
  [
    'an error unlike the default',
    (d) => {
      addBook(d).responses[409] = { description: 'Conflict.', ...json({ type: 'string' }) }
    },
    ['addBook: The body of the 409 answer may now be a string.']
  ]
]

t.test('what breaks callers is found, and said in a sentence that names operation and place', async (t) => {
  for (const [title, edit, sentences] of BREAKING) t.same(after(edit), sentences, title)
})

const HARMLESS: [title: string, edit: Edit][] = [
  ['nothing', () => {}],
  [
    'a new operation',
    (d) => {
      d.paths['/readers'] = { get: { operationId: 'listReaders', responses: { 204: { description: 'None.' } } } }
    }
  ],
  [
    'a new deprecation',
    (d) => {
      Object.assign(addBook(d), {
        deprecated: true,
        'x-deprecated-since': '2026-06-01',
        'x-deprecated-sunset': '2028-06-01'
      })
    }
  ],
  [
    'a later sunset',
    (d) => {
      oneBook(d).get['x-deprecated-sunset'] = '2028-01-01'
    }
  ],
  [
    'no deprecation any more',
    (d) => {
      for (const name of ['deprecated', 'x-deprecated-since', 'x-deprecated-sunset']) delete oneBook(d).get[name]
    }
  ],
  [
    'more stable',
    (d) => {
      delete oneBook(d).put['x-stability']
    }
  ],
  [
    'an experimental operation changes',
    (d) => {
      oneBook(d).delete.operationId = 'dropBook'
      oneBook(d).delete.requestBody = { required: true, ...json({}) }
    }
  ],
  [
    'an experimental operation goes',
    (d) => {
      delete oneBook(d).delete
    }
  ],
  [
    'one more server, listed first',
    (d) => {
      d.servers.unshift({ url: 'https://books.example/v1' })
    }
  ],
  [
    'a server without its variable',
    (d) => {
      d.servers = [{ url: '/v1' }]
    }
  ],
  [
    'no key is asked for',
    (d) => {
      listBooks(d).security = []
    }
  ],
  [
    'one alternative more',
    (d) => {
      listBooks(d).security = [{ badge: [] }, { reader: [] }]
    }
  ],
  [
    'a scope less',
    (d) => {
      oneBook(d).get.security[1].badge = []
    }
  ],
  [
    'a security scheme is renamed',
    (d) => {
      d.security = [{ other: [] }]
      oneBook(d).get.security[0] = { other: [] }
    }
  ],
  [
    'a new optional parameter',
    (d) => {
      listBooks(d).parameters.push({ name: 'shelf', in: 'query', schema: { type: 'string', default: 'all' } })
    }
  ],
  [
    'parameters in another order',
    (d) => {
      listBooks(d).parameters.reverse()
    }
  ],
  [
    'a parameter moves to its path',
    (d) => {
      d.paths['/books'].parameters = [parameter(d, 'X-Reader')]
      listBooks(d).parameters = without(listBooks(d).parameters, 'X-Reader')
    }
  ],
  [
    'a header parameter in another case',
    (d) => {
      parameter(d, 'X-Reader').name = 'x-reader'
    }
  ],
  [
    'a higher maximum',
    (d) => {
      parameter(d, 'limit').schema.maximum = 200
    }
  ],
  [
    'no maximum',
    (d) => {
      delete parameter(d, 'limit').schema.maximum
    }
  ],
  [
    'a format that the bounds lie within',
    (d) => {
      parameter(d, 'limit').schema.format = 'int32'
    }
  ],
  [
    'bounds in other words',
    (d) => {
      parameter(d, 'limit').schema = { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 101, default: 20 }
    }
  ],
  [
    'a larger integer is taken',
    (d) => {
      sent(d).pages.format = 'int64'
    }
  ],
  [
    'fractions are taken',
    (d) => {
      sent(d).pages.type = 'number'
    }
  ],
  [
    'the body is optional',
    (d) => {
      addBook(d).requestBody.required = false
    }
  ],
  [
    'a new optional property of the body',
    (d) => {
      sent(d).author = { type: 'string' }
    }
  ],
  [
    'a property is optional',
    (d) => {
      schemas(d).NewBook.required = []
    }
  ],
  [
    'a property takes null',
    (d) => {
      sent(d).title.type = ['string', 'null']
    }
  ],
  [
    'no pattern',
    (d) => {
      delete sent(d).tags.items.pattern
    }
  ],
  [
    'finer steps',
    (d) => {
      sent(d).price.multipleOf = 0.005
    }
  ],
  [
    'what is not known is let through',
    (d) => {
      delete schemas(d).NewBook.additionalProperties
    }
  ],
  [
    'a choice more is taken',
    (d) => {
      sent(d).binding.anyOf.push({ type: 'null' })
    }
  ],
  [
    'a wider enumeration is taken',
    (d) => {
      sent(d).genre = { enum: ['poem', 'novel', 'essay'] }
    }
  ],
  [
    'a narrower enumeration is given',
    (d) => {
      given(d).genre = { const: 'novel' }
    }
  ],
  [
    'a new property of an answer',
    (d) => {
      given(d).author = { type: 'string' }
    }
  ],
  [
    'a new promise',
    (d) => {
      schemas(d).Book.required.push('genre')
    }
  ],
  [
    'a new limit on what is given',
    (d) => {
      Object.assign(given(d).title, { minLength: 1, maxLength: 100, pattern: '.', format: 'uri' })
    }
  ],
  [
    'a choice less is given',
    (d) => {
      given(d).loan.oneOf.pop()
    }
  ],
  [
    'an answer is closed',
    (d) => {
      schemas(d).Loan.additionalProperties = false
    }
  ],
  [
    'a new error',
    (d) => {
      listBooks(d).responses[503] = { description: 'Closed.' }
    }
  ],
  [
    'an error like the default',
    (d) => {
      addBook(d).responses[409] = { $ref: '#/components/responses/Error' }
    }
  ],
  [
    'an error that no longer comes',
    (d) => {
      delete listBooks(d).responses[404]
    }
  ],
  [
    'a body where there was none',
    (d) => {
      Object.assign(oneBook(d).put.responses[204], json({ type: 'string' }))
    }
  ],
  [
    'a new header',
    (d) => {
      listBooks(d).responses[200].headers.ETag = { required: true, schema: { type: 'string' } }
    }
  ],
  [
    'a header is promised, in another case',
    (d) => {
      listBooks(d).responses[200].headers = {
        link: { required: true, schema: { type: 'string' } },
        'x-total': { $ref: '#/components/headers/Total' }
      }
    }
  ],
  [
    'words, examples and tags',
    (d) => {
      Object.assign(listBooks(d), { summary: 'Books', description: 'All of them.', tags: ['Books'] })
      Object.assign(sent(d).title, { description: 'Its name.', examples: ['Emma'], deprecated: true })
      d.info.description = 'Books.'
    }
  ],
  [
    'extensions',
    (d) => {
      d['x-owner'] = listBooks(d)['x-owner'] = sent(d).title['x-owner'] = 'us'
    }
  ],
  [
    'a schema gets a name',
    (d) => {
      schemas(d).Limit = parameter(d, 'limit').schema
      parameter(d, 'limit').schema = to('Limit')
    }
  ],
  [
    'a schema is written out',
    (d) => {
      sent(d).genre = schemas(d).Genre
    }
  ],
  [
    'a response is written out',
    (d) => {
      listBooks(d).responses[404] = d.components.responses.Error
    }
  ],
  [
    'a schema in parts',
    (d) => {
      const { pages, ...properties } = given(d)
      Object.assign(schemas(d), {
        Pages: { properties: { pages } },
        Book: { allOf: [to('Pages')], type: 'object', required: ['id', 'title'], properties }
      })
    }
  ],
  [
    'a limit beside a reference',
    (d) => {
      given(d).genre = { ...to('Genre'), enum: ['novel'] }
    }
  ],
  [
    'types as a choice',
    (d) => {
      sent(d).isbn = { anyOf: [{ type: 'null' }, { type: 'string' }] }
    }
  ]
]

t.test('what breaks nobody is let pass', async (t) => {
  for (const [title, edit] of HARMLESS) t.same(after(edit), [], title)
})

t.test('a deprecated operation may go once its sunset has passed', async (t) => {
  const remove: Edit = (d) => {
    delete oneBook(d).get
  }
  t.same(after(remove, released, new Date('2026-12-31T23:59:59Z')), ['getBook: GET /books/{bookId} is removed.'])
  t.same(after(remove, released, new Date('2027-01-01T00:00:00Z')), [])
  t.same(
    after(
      (d) => {
        oneBook(d).get.operationId = 'readBook'
      },
      released,
      new Date('2027-01-01T00:00:00Z')
    ),
    ['getBook: The operationId of GET /books/{bookId} is now readBook.'],
    'while it is there it keeps its word'
  )
})

t.test('a media type that a body may no longer have breaks those who send it', async (t) => {
  t.same(
    after((d) => {
      addBook(d).requestBody.content = { 'text/plain': {} }
    }),
    ['addBook: The body can no longer be sent as application/json.']
  )
  t.same(
    after((d) => {
      addBook(d).requestBody.content['text/plain'] = {}
    }),
    []
  )
})

t.test('what cannot be served cannot be compared', async (t) => {
  t.throws(
    () =>
      after((d) => {
        addBook(d).requestBody.content = { 'text/plain': { schema: { type: 'object' } } }
      }),
    new ContractError(
      '#/paths/~1books/post/requestBody/content/text~1plain: a body of text/plain is text, but its schema asks for object, which is not supported.'
    )
  )
})

const petstore = await readDocument(readFileSync(new URL('../../openapi/petstore.yaml', import.meta.url), 'utf8'))
const pets = (document: any) => document.paths['/pets']
const onePet = (document: any) => document.paths['/pets/{petId}']

t.test('edits of the document of this service', async (t) => {
  const wanted: [title: string, edit: Edit, sentences: string[]][] = [
    ['nothing', () => {}, []],
    [
      'another base path',
      (d) => {
        d.servers[0].url = '/v2'
      },
      ['The server /v1 is removed.']
    ],
    [
      'limit',
      (d) => {
        d.components.parameters.Limit.schema.maximum = 50
      },
      ['listPets', 'listCategories', 'listOrders', 'listInventory'].map(
        (id) => `${id}: Query parameter 'limit' can no longer be more than 50.`
      )
    ],
    [
      'cursor',
      (d) => {
        pets(d).get.parameters = pets(d).get.parameters.filter(({ $ref }: any) => !$ref.endsWith('/Cursor'))
      },
      ["listPets: Query parameter 'cursor' is removed."]
    ],
    [
      'Link',
      (d) => {
        delete pets(d).get.responses[200].headers.Link
      },
      ["listPets: Header 'Link' of the 200 answer is removed."]
    ],
    [
      'createPet',
      (d) => {
        pets(d).post.operationId = 'addPet'
      },
      ['createPet: The operationId of POST /pets is now addPet.']
    ],
    [
      'name',
      (d) => {
        schemas(d).NewPet.properties.name.maxLength = 100
      },
      ["createPet: Body property 'name' can no longer have more than 100 characters."]
    ],
    [
      'status is required',
      (d) => {
        schemas(d).NewPet.required.push('status')
      },
      ["createPet: Body property 'status' is now required."]
    ],
    [
      'getPet goes',
      (d) => {
        delete onePet(d).get
      },
      ['getPet: GET /pets/{petId} is removed.']
    ],
    [
      'getPet goes sooner',
      (d) => {
        onePet(d).get['x-deprecated-sunset'] = '2028-12-05'
      },
      ['getPet: The sunset is now 2028-12-05, no longer 2030-12-05.']
    ],
    [
      'petId',
      (d) => {
        delete onePet(d).get.parameters[0].schema.format
      },
      ['less than -9007199254740991', 'more than 9007199254740991'].map(
        (bound) => `getPet: Path parameter 'petId' can no longer be ${bound}.`
      )
    ],
    [
      'a new filter',
      (d) => {
        pets(d).get.parameters.push({ name: 'name', in: 'query', schema: { type: 'string' } })
      },
      []
    ],
    [
      'a new field',
      (d) => {
        for (const name of ['NewPet', 'Pet']) schemas(d)[name].properties.note = { type: 'string' }
      },
      []
    ],
    [
      'an error more',
      (d) => {
        pets(d).get.responses[410] = d.components.responses.LacksPetsRead
      },
      []
    ]
  ]
  for (const [title, edit, sentences] of wanted) t.same(after(edit, petstore), sentences, title)
  const widened = after((d) => {
    schemas(d).PetStatus.enum.push('lost')
  }, petstore)
  t.ok(widened.includes("listPets: Property '[].status' of the 200 answer may now be 'lost'."))
  t.notOk(widened.some((sentence) => sentence.includes('parameter')))
})

const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record(
      {
        type: fc.subarray(['integer', 'number', 'string', 'null'], { minLength: 1 }),
        minimum: fc.nat(3),
        exclusiveMaximum: fc.integer({ min: 2, max: 6 }),
        maxLength: fc.nat(3),
        multipleOf: fc.constantFrom(1, 2, 0.5)
      },
      { requiredKeys: ['type'] }
    ),
    fc.record({ enum: fc.uniqueArray(fc.constantFrom(1, 2, 2.5, 'a', 'ab', null), { minLength: 1 }) }),
    fc.record(
      { type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(2), uniqueItems: fc.boolean() },
      { requiredKeys: ['type'] }
    ),
    fc.record({
      type: fc.constant('object'),
      properties: fc.record({ a: tie('schema'), b: tie('schema') }, { requiredKeys: [] }),
      required: fc.subarray(['a', 'b']),
      additionalProperties: fc.constant(false)
    }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record(
      { allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), maximum: fc.nat(5) },
      { requiredKeys: ['allOf'] }
    )
  )
}))
const leaf = fc.constantFrom(-1, 0, 1, 2, 2.5, 3, 4, 5, 7, '', 'a', 'ab', 'abcd', null)
const value = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.record({ a: leaf, b: leaf }, { requiredKeys: [] }))
const bare = await read({})
const declared = (schema: Schema) => ({ document: bare, schema })

t.test('where no change is found, every value that fitted before fits still', async () => {
  const checkOf = checksOf(new Schemas(bare))
  let compatible = 0
  fc.assert(
    fc.property(schema, schema, fc.array(value, { minLength: 20, maxLength: 20 }), (was, now, values) => {
      if (changesOf('request', declared(was), declared(now)).length > 0) return true
      compatible++
      const [before, after] = [checkOf(was), checkOf(now)]
      return values.every((one) => !before(structuredClone(one)) || after(structuredClone(one)))
    }),
    { numRuns: 400 }
  )
  t.ok(compatible > 5, `${compatible} pairs were compatible`)
})

t.test('a schema is compatible with itself, also behind a name', async () => {
  fc.assert(
    fc.property(schema, (schema) => {
      const document = { ...bare, components: { schemas: { It: schema } } }
      const named = { document, schema: to('It') }
      return (['request', 'answer'] as const).every((direction) =>
        [
          [declared(schema), declared(schema)],
          [named, declared(schema)],
          [declared(schema), named]
        ].every(([was, now]) => changesOf(direction, was!, now!).length === 0)
      )
    }),
    { numRuns: 100 }
  )
})
