import t from 'tap'
import {
  addBook,
  after,
  given,
  json,
  listBooks,
  ofEveryBook,
  oneBook,
  released,
  schemas,
  to,
  type Breaking,
  type Harmless
} from './library.js'

const BREAKING: Breaking[] = [
  ['one value more', (d) => { schemas(d).Genre.enum.push('essay') },
    ofEveryBook("genre' of the $ answer may now be 'essay'.")],
  ['another status of success', (d) => { addBook(d).responses[200] = addBook(d).responses[201]; delete addBook(d).responses[201] },
    ['addBook: Success is now answered with 200, no longer with 201.']],
  ['no body', (d) => { delete listBooks(d).responses[200].content },
    ['listBooks: The body of the 200 answer is removed.']],
  ['an object instead of a list', (d) => { listBooks(d).responses[200].content['application/json'].schema = { type: 'object', properties: { items: { type: 'array', items: to('Book') } } } },
    ['listBooks: The body of the 200 answer may now be an object.']],
  ['a header is not promised', (d) => { d.components.headers.Total.required = false },
    ["listBooks: Header 'X-Total' of the 200 answer may now be missing."]],
  ['a header is no longer declared', (d) => { delete listBooks(d).responses[200].headers.Link },
    ["listBooks: Header 'Link' of the 200 answer is removed."]],
  ['a header of another type', (d) => { d.components.headers.Total.schema.type = 'number' },
    ["listBooks: Header 'X-Total' of the 200 answer may now be a fraction."]],
  ['a property is no longer declared', (d) => { delete given(d).pages },
    ofEveryBook("pages' of the $ answer is removed.")],
  ['a promised property is no longer declared', (d) => { delete given(d).title; schemas(d).Book.required.pop() },
    ofEveryBook("title' of the $ answer is removed.")],
  ['a property is no longer promised', (d) => { schemas(d).Book.required.pop() },
    ofEveryBook("title' of the $ answer may now be missing.")],
  ['a property may be null', (d) => { given(d).title.type = ['string', 'null'] },
    ofEveryBook("title' of the $ answer may now be null.")],
  ['a property may be anything', (d) => { delete given(d).title.type },
    ofEveryBook("title' of the $ answer may now be something other than a string.")],
  ['a larger integer', (d) => { given(d).pages.format = 'int64' },
    ofEveryBook("pages' of the $ answer may now be more than 2147483647.")],
  ['a choice more', (d) => { given(d).loan.oneOf.push({ type: 'string' }) },
    ofEveryBook("loan' of the $ answer may now be a string.")],
  ['within a choice', (d) => { schemas(d).Loan.required = [] },
    ofEveryBook("loan.reader' of the $ answer may now be missing.")],
  ['a format is not promised', (d) => { given(d).addedAt.allOf.pop() },
    ofEveryBook("addedAt' of the $ answer may now be something other than a valid date-time.")],
  ['a map of something more', (d) => { given(d).names.additionalProperties = {} },
    ofEveryBook("names.*' of the $ answer may now be something other than a string.")],
  ['a property more in a closed object', (d) => { d.paths['/health'].get.responses[200].content['application/json'].schema.properties.since = { type: 'string' } },
    ["isOpen: Property 'since' of the 200 answer may now be present."]],
  ['a closed object is opened', (d) => { delete d.paths['/health'].get.responses[200].content['application/json'].schema.additionalProperties },
    ['isOpen: The body of the 200 answer may now have properties that are not declared.']],
  ['the body of errors', (d) => { schemas(d).Error.required = [] },
    ["listBooks: Property 'code' of the 400 and 404 answers may now be missing.", "addBook: Property 'code' of the default answer may now be missing."]],
  ['an error unlike the default', (d) => { addBook(d).responses[409] = { description: 'Conflict.', ...json({ type: 'string' }) } },
    ['addBook: The body of the 409 answer may now be a string.']]
]

t.test('a change of an answer that breaks callers is found, and said with its place', async (t) => {
  for (const [title, edit, sentences] of BREAKING) t.same(after(edit), sentences, title)
})

t.test('a value within a header is named with its place', async (t) => {
  const document = structuredClone(released)
  const headers = (d: any) => listBooks(d).responses[200].headers
  headers(document).Shelf = { schema: { type: 'object', properties: { row: { type: 'integer' } } } }
  const edit = (d: any) => { headers(d).Shelf.schema.properties = {} }
  t.same(after(edit, document), ["listBooks: Header 'Shelf.row' of the 200 answer is removed."])
})

t.test('an open enumeration may have more values, of the same type and only in answers', async (t) => {
  const document = structuredClone(released)
  Object.assign(schemas(document).Error.properties.code, { enum: ['busy', 'closed'], 'x-open-enum': true })
  const code = (d: any) => schemas(d).Error.properties.code
  const more = (d: any) => code(d).enum.push('lost')
  t.same(after(more, document), [])
  t.same(after((d) => { code(d).enum = ['lost'] }, document), [])
  t.same(after((d) => { code(d).enum.push(7); code(d).type = ['string', 'integer'] }, document), [
    "listBooks: Property 'code' of the 400 and 404 answers may now be 7.",
    "addBook: Property 'code' of the default answer may now be 7."
  ])
  t.same(after((d) => { more(d); delete code(d)['x-open-enum'] }, document), [], 'as it was promised')
  delete code(document)['x-open-enum']
  t.same(after((d) => { more(d); code(d)['x-open-enum'] = true }, document).length, 2, 'as it was not promised')
  Object.assign(schemas(document).Genre, { 'x-open-enum': true })
  t.same(after((d) => { schemas(d).Genre.enum.pop() }, document), [
    "listBooks: Query parameter 'genre' can no longer be 'poem'.",
    "addBook: Body property 'genre' can no longer be 'poem'."
  ])
})

t.test('an answer may narrow an open enumeration to some values, and have more of them later', async (t) => {
  const document = structuredClone(released)
  Object.assign(schemas(document).Error.properties.code, { enum: ['busy', 'closed', 'lost'], 'x-open-enum': true })
  const narrow = (d: any, ...codes: string[]) => {
    const anyOf = codes.map((code) => ({ const: code }))
    d.components.responses.Error.content['application/json'].schema = {
      allOf: [to('Error'), { properties: { code: { anyOf } } }]
    }
  }
  t.same(after((d) => narrow(d, 'busy'), document), [])
  narrow(document, 'busy')
  t.same(after((d) => narrow(d, 'busy', 'lost'), document), [])
})

const HARMLESS: Harmless[] = [
  ['a narrower enumeration is given', (d) => { given(d).genre = { const: 'novel' } }],
  ['a new property of an answer', (d) => { given(d).author = { type: 'string' } }],
  ['a new promise', (d) => { schemas(d).Book.required.push('genre') }],
  ['a new limit on what is given', (d) => { Object.assign(given(d).title, { minLength: 1, maxLength: 100, pattern: '.', format: 'uri' }) }],
  ['a choice less is given', (d) => { given(d).loan.oneOf.pop() }],
  ['an answer is closed', (d) => { schemas(d).Loan.additionalProperties = false }],
  ['a new error', (d) => { listBooks(d).responses[503] = { description: 'Closed.' } }],
  ['an error like the default', (d) => { addBook(d).responses[409] = { $ref: '#/components/responses/Error' } }],
  ['an error that no longer comes', (d) => { delete listBooks(d).responses[404] }],
  ['a body where there was none', (d) => { Object.assign(oneBook(d).put.responses[204], json({ type: 'string' })) }],
  ['a new header', (d) => { listBooks(d).responses[200].headers.ETag = { required: true, schema: { type: 'string' } } }],
  ['a header is promised, in another case', (d) => { listBooks(d).responses[200].headers = { link: { required: true, schema: { type: 'string' } }, 'x-total': { $ref: '#/components/headers/Total' } } }]
]

t.test('a change of an answer that breaks nobody is let pass', async (t) => {
  for (const [title, edit] of HARMLESS) t.same(after(edit), [], title)
})
