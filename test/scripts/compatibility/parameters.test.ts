import t from 'tap'
import {
  after,
  json,
  listBooks,
  oneBook,
  parameter,
  released,
  sent,
  without,
  type Breaking,
  type Harmless
} from './library.js'

const BREAKING: Breaking[] = [
  ['a parameter is removed', (d) => { listBooks(d).parameters = without(listBooks(d).parameters, 'genre') },
    ["listBooks: Query parameter 'genre' is removed."]],
  ['a header is removed', (d) => { listBooks(d).parameters = without(listBooks(d).parameters, 'X-Reader') },
    ["listBooks: Header 'X-Reader' is removed."]],
  ['a parameter moves', (d) => { parameter(d, 'X-Reader').in = 'query' }, ["listBooks: Header 'X-Reader' is removed."]],
  ['a new parameter is required', (d) => { listBooks(d).parameters.push({ name: 'shelf', in: 'query', required: true, schema: { type: 'string' } }) },
    ["listBooks: Query parameter 'shelf' is now required."]],
  ['an old parameter is required', (d) => { parameter(d, 'genre').required = true },
    ["listBooks: Query parameter 'genre' is now required."]],
  ['a lower maximum', (d) => { parameter(d, 'limit').schema.maximum = 50 },
    ["listBooks: Query parameter 'limit' can no longer be more than 50."]],
  ['an open bound', (d) => { parameter(d, 'limit').schema.exclusiveMinimum = 1 },
    ["listBooks: Query parameter 'limit' can no longer be less than 2."]],
  ['another default', (d) => { parameter(d, 'limit').schema.default = 10 },
    ["listBooks: Query parameter 'limit' has the default 10, no longer 20."]],
  ['a default where there was none', (d) => { sent(d).pages.default = 1 },
    ["addBook: Body property 'pages' now has the default 1."]],
  ['no default', (d) => { delete parameter(d, 'limit').schema.default },
    ["listBooks: Query parameter 'limit' no longer has the default 20."]],
  ['fewer items', (d) => { parameter(d, 'tag').schema.maxItems = 3 },
    ["listBooks: Query parameter 'tag' can no longer have more than 3 items."]],
  ['items of another type', (d) => { parameter(d, 'tag').schema.items.type = 'integer' },
    ["listBooks: Query parameter 'tag[]' can no longer be a string."]],
  ['one value instead of a list', (d) => { parameter(d, 'tag').schema = { type: 'string' } },
    ["listBooks: Query parameter 'tag' can no longer be an array."]],
  ['a smaller integer', (d) => { oneBook(d).parameters[0].schema.format = 'int32' },
    ['get', 'note'].flatMap((id) => ['less than -2147483648', 'more than 2147483647'].map((bound) => `${id}Book: Path parameter 'bookId' can no longer be ${bound}.`))]
]

t.test('a change of a parameter that breaks callers is found, and said with its place', async (t) => {
  for (const [title, edit, sentences] of BREAKING) t.same(after(edit), sentences, title)
})

t.test('a value within a parameter is named as callers write it', async (t) => {
  const filterOf = (title: string, tag: string) => ({
    type: 'object',
    properties: {
      size: { type: 'object', properties: { [title]: { type: 'string' } } },
      tags: { type: 'array', items: { type: tag } }
    }
  })
  const [was, now] = [filterOf('min', 'string'), filterOf('max', 'integer')]
  const wanted: [title: string, parameterOf: (schema: object) => object, removed: string, changed: string][] = [
    ['deepObject', (schema) => ({ style: 'deepObject', schema }), 'filter[size][min]', 'filter[tags][]'],
    [
      'deepObject of a list',
      (items) => ({ style: 'deepObject', schema: { type: 'array', items } }),
      'filter[][size][min]',
      'filter[][tags][]'
    ],
    ['form', (schema) => ({ schema }), 'filter.size.min', 'filter.tags[]'],
    ['JSON', json, 'filter.size.min', 'filter.tags[]']
  ]
  for (const [title, parameterOf, removed, changed] of wanted) {
    const document = structuredClone(released)
    listBooks(document).parameters = [{ name: 'filter', in: 'query', ...parameterOf(was) }]
    const edit = (d: any) => Object.assign(parameter(d, 'filter'), parameterOf(now))
    t.same(
      after(edit, document),
      [
        `listBooks: Query parameter '${removed}' is removed.`,
        `listBooks: Query parameter '${changed}' can no longer be a string.`
      ],
      title
    )
  }
})

const HARMLESS: Harmless[] = [
  ['a new optional parameter', (d) => { listBooks(d).parameters.push({ name: 'shelf', in: 'query', schema: { type: 'string', default: 'all' } }) }],
  ['parameters in another order', (d) => { listBooks(d).parameters.reverse() }],
  ['a parameter moves to its path', (d) => { d.paths['/books'].parameters = [parameter(d, 'X-Reader')]; listBooks(d).parameters = without(listBooks(d).parameters, 'X-Reader') }],
  ['a header parameter in another case', (d) => { parameter(d, 'X-Reader').name = 'x-reader' }],
  ['a higher maximum', (d) => { parameter(d, 'limit').schema.maximum = 200 }],
  ['no maximum', (d) => { delete parameter(d, 'limit').schema.maximum }],
  ['a format that the bounds lie within', (d) => { parameter(d, 'limit').schema.format = 'int32' }],
  ['bounds in other words', (d) => { parameter(d, 'limit').schema = { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 101, default: 20 } }]
]

t.test('a change of a parameter that breaks nobody is let pass', async (t) => {
  for (const [title, edit] of HARMLESS) t.same(after(edit), [], title)
})
