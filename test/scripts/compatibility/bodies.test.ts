import t from 'tap'
import { ContractError } from '../../../src/contract/document/contract-error.js'
import { addBook, after, json, listBooks, oneBook, released, schemas, sent, type Breaking, type Harmless } from './library.js'

const BREAKING: Breaking[] = [
  ['the body is required', (d) => { oneBook(d).put.requestBody.required = true },
    ['noteBook: The body is now required.']],
  ['a body is asked for', (d) => { listBooks(d).operationId = 'searchBooks'; d.paths['/books'].put = { ...listBooks(d), operationId: 'listBooks', requestBody: { required: true, ...json({}) } } },
    ['listBooks: GET /books is now PUT /books.', 'listBooks: The body is now required.']],
  ['the body is removed', (d) => { delete oneBook(d).put.requestBody }, ['noteBook: The body is removed.']],
  ['the body may not be null', (d) => { oneBook(d).put.requestBody.content['application/json'].schema.type = 'string' },
    ['noteBook: The body can no longer be null.']],
  ['a property is removed', (d) => { delete sent(d).pages }, ["addBook: Body property 'pages' is removed."]],
  ['a property is removed from an open body', (d) => { delete sent(d).pages; delete schemas(d).NewBook.additionalProperties },
    ["addBook: Body property 'pages' is removed."]],
  ['a property is renamed', (d) => { sent(d).pageCount = sent(d).pages; delete sent(d).pages },
    ["addBook: Body property 'pages' is removed."]],
  ['an old property is required', (d) => { schemas(d).NewBook.required.push('genre') },
    ["addBook: Body property 'genre' is now required."]],
  ['a new property is required', (d) => { sent(d).author = { type: 'string' }; schemas(d).NewBook.required.push('author') },
    ["addBook: Body property 'author' is now required."]],
  ['one type less', (d) => { sent(d).isbn.type = 'string' }, ["addBook: Body property 'isbn' can no longer be null."]],
  ['whole numbers only', (d) => { sent(d).price = { type: 'integer', exclusiveMinimum: 0 } },
    ["addBook: Body property 'price' can no longer be a fraction."]],
  ['a longer minimum', (d) => { sent(d).title.minLength = 2 },
    ["addBook: Body property 'title' can no longer have fewer than 2 characters."]],
  ['not empty', (d) => { sent(d).tags.minItems = 1 }, ["addBook: Body property 'tags' can no longer be empty."]],
  ['no item twice', (d) => { sent(d).tags.uniqueItems = true },
    ["addBook: Body property 'tags' can no longer hold an item twice."]],
  ['a pattern', (d) => { sent(d).title.pattern = '^[A-Z]' },
    ["addBook: Body property 'title' can no longer be something that does not match ^[A-Z]."]],
  ['another pattern', (d) => { sent(d).tags.items.pattern = '^[a-y]+$' },
    ["addBook: Body property 'tags[]' can no longer be something that does not match ^[a-y]+$."]],
  ['a format', (d) => { sent(d).title.format = 'uri' },
    ["addBook: Body property 'title' can no longer be something other than a valid uri."]],
  ['coarser steps', (d) => { sent(d).price.multipleOf = 0.05 },
    ["addBook: Body property 'price' can no longer be something other than a multiple of 0.05."]],
  ['a bound of a number', (d) => { sent(d).price.maximum = 99.5 },
    ["addBook: Body property 'price' can no longer be more than 99.5."]],
  ['an enumeration', (d) => { sent(d).title.enum = ['Emma', 'Ulysses'] },
    ["addBook: Body property 'title' can no longer be something other than 'Emma', 'Ulysses'."]],
  ['a map of something else', (d) => { sent(d).names.additionalProperties = { type: 'integer' } },
    ["addBook: Body property 'names.*' can no longer be a string."]],
  ['an object is closed', (d) => { sent(d).binding.anyOf[1].additionalProperties = false },
    ["addBook: Body property 'binding' can no longer have properties that are not declared."]],
  ['a choice less', (d) => { sent(d).binding.anyOf.pop() },
    ["addBook: Body property 'binding' can no longer be an object."]],
  ['a change within a choice', (d) => { sent(d).binding.anyOf[1].properties.colour.type = 'integer' },
    ["addBook: Body property 'binding.colour' can no longer be a string."]],
  ['a property may not be there', (d) => { sent(d).pages = false },
    ["addBook: Body property 'pages' can no longer be present."]],
  ['a keyword that is not understood', (d) => { sent(d).title.not = { const: 'Untitled' } },
    ["addBook: Body property 'title' can no longer be something that its 'not' rules out."]],
  ['one value less', (d) => { schemas(d).Genre.enum.pop() },
    ["listBooks: Query parameter 'genre' can no longer be 'poem'.", "addBook: Body property 'genre' can no longer be 'poem'."]]
]

t.test('a change of a request body that breaks callers is found, and said with its place', async (t) => {
  for (const [title, edit, sentences] of BREAKING) t.same(after(edit), sentences, title)
})

t.test('integers above 2^53 are compared exactly', async (t) => {
  const was = structuredClone(released)
  Object.assign(sent(was).pages, { format: 'int64', maximum: 2n ** 63n - 1n })
  const maximum = 2n ** 63n - 2n
  t.same(after((d) => { sent(d).pages.maximum = maximum }, was), [
    `addBook: Body property 'pages' can no longer be more than ${maximum}.`
  ])
  t.same(after((d) => { sent(d).pages.maximum = 2n ** 64n }, was), [])
})

const HARMLESS: Harmless[] = [
  ['a larger integer is taken', (d) => { sent(d).pages.format = 'int64' }],
  ['fractions are taken', (d) => { sent(d).pages.type = 'number' }],
  ['the body is optional', (d) => { addBook(d).requestBody.required = false }],
  ['a new optional property of the body', (d) => { sent(d).author = { type: 'string' } }],
  ['a property is optional', (d) => { schemas(d).NewBook.required = [] }],
  ['a property takes null', (d) => { sent(d).title.type = ['string', 'null'] }],
  ['no pattern', (d) => { delete sent(d).tags.items.pattern }],
  ['finer steps', (d) => { sent(d).price.multipleOf = 0.005 }],
  ['steps that no double divides', (d) => { sent(d).price.multipleOf = 0.00008 }],
  ['what is not known is let through', (d) => { delete schemas(d).NewBook.additionalProperties }],
  ['a choice more is taken', (d) => { sent(d).binding.anyOf.push({ type: 'null' }) }],
  ['a wider enumeration is taken', (d) => { sent(d).genre = { enum: ['poem', 'novel', 'essay'] } }]
]

t.test('a change of a request body that breaks nobody is let pass', async (t) => {
  for (const [title, edit] of HARMLESS) t.same(after(edit), [], title)
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
        addBook(d).requestBody.content = { text: {} }
      }),
    new ContractError("#/paths/~1books/post/requestBody/content: 'text' is no media type.")
  )
})
