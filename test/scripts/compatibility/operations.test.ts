import t from 'tap'
import {
  addBook,
  after,
  given,
  json,
  listBooks,
  oneBook,
  released,
  schemas,
  type Breaking,
  type Edit,
  type Harmless
} from './library.js'

const BREAKING: Breaking[] = [
  ['an operation is removed', (d) => { delete d.paths['/books'].post }, ['addBook: POST /books is removed.']],
  ['a path is removed', (d) => { delete d.paths['/health'] }, ['isOpen: GET /health is removed.']],
  ['a deprecated operation is removed before its sunset', (d) => { delete oneBook(d).get },
    ['getBook: GET /books/{bookId} is removed.']],
  ['a path is renamed', (d) => { d.paths['/status'] = d.paths['/health']; delete d.paths['/health'] },
    ['isOpen: GET /health is now GET /status.']],
  ['a path parameter is renamed', (d) => { d.paths['/books/{id}'] = oneBook(d); oneBook(d).parameters[0].name = 'id'; delete d.paths['/books/{bookId}'] },
    ['getBook: GET /books/{bookId} is now GET /books/{id}.', 'noteBook: PUT /books/{bookId} is now PUT /books/{id}.']],
  ['another method', (d) => { d.paths['/books'].put = addBook(d); delete d.paths['/books'].post },
    ['addBook: POST /books is now PUT /books.']],
  ['another operationId', (d) => { addBook(d).operationId = 'createBook' },
    ['addBook: The operationId of POST /books is now createBook.']],
  ['a deprecation that comes after its sunset', (d) => { Object.assign(addBook(d), { deprecated: true, 'x-deprecated-since': '2020-01-01', 'x-deprecated-sunset': '2020-06-01' }) },
    ['addBook: The operation is deprecated with a sunset that has passed, 2020-06-01.']],
  ['a sooner sunset', (d) => { oneBook(d).get['x-deprecated-sunset'] = '2026-12-01' },
    ['getBook: The sunset is now 2026-12-01, no longer 2027-01-01.']],
  ['less stable', (d) => { oneBook(d).put['x-stability'] = 'experimental' },
    ['noteBook: The operation is now experimental, no longer beta.']],
  ['no longer stable', (d) => { addBook(d)['x-stability'] = 'beta' },
    ['addBook: The operation is now beta, no longer stable.']],
  ['another server', (d) => { d.servers[0].url = '/v2' }, ['The server /v1 is removed.']],
  ['another default of a server variable', (d) => { d.servers[0].variables.version.default = 'v2' },
    ['The server /v1 is removed.']],
  ['no server', (d) => { delete d.servers }, ['The server /v1 is removed.']],
  ['a schema loses its name', (d) => { given(d).loan.oneOf[0] = schemas(d).Loan; delete schemas(d).Loan },
    ['The schema Loan is removed; generated types have its name.']],
  ['an open operation asks for a key', (d) => { delete d.paths['/health'].get.security },
    ['isOpen: A call with no credentials is now refused; it needs http bearer.']],
  ['a scope more', (d) => { listBooks(d).security = [{ reader: ['books:read'] }] },
    ['listBooks: A call with http bearer is now refused; it needs http bearer and the scope books:read.']],
  ['one alternative less', (d) => { oneBook(d).get.security.shift() },
    ["getBook: A call with http bearer is now refused; it needs the API key 'X-Badge' (header) and the scope books:read."]],
  ['a scheme more', (d) => { addBook(d).security = [{ reader: [], badge: [] }] },
    ["addBook: A call with http bearer is now refused; it needs http bearer and the API key 'X-Badge' (header)."]],
  ['another scheme of the same name', (d) => { d.components.securitySchemes.badge.name = 'X-Key' },
    ["getBook: A call with the API key 'X-Badge' (header) and the scope books:read is now refused; it needs http bearer, or the API key 'X-Key' (header) and the scope books:read."]]
]

t.test('a change of an operation, of its path, its security or its future that breaks callers is found', async (t) => {
  for (const [title, edit, sentences] of BREAKING) t.same(after(edit), sentences, title)
})

const HARMLESS: Harmless[] = [
  ['nothing', () => {}],
  ['a new operation', (d) => { d.paths['/readers'] = { get: { operationId: 'listReaders', responses: { 204: { description: 'None.' } } } } }],
  ['a new deprecation', (d) => { Object.assign(addBook(d), { deprecated: true, 'x-deprecated-since': '2026-06-01', 'x-deprecated-sunset': '2028-06-01' }) }],
  ['a later sunset', (d) => { oneBook(d).get['x-deprecated-sunset'] = '2028-01-01' }],
  ['no deprecation any more', (d) => { for (const name of ['deprecated', 'x-deprecated-since', 'x-deprecated-sunset']) delete oneBook(d).get[name] }],
  ['more stable', (d) => { delete oneBook(d).put['x-stability'] }],
  ['an experimental operation changes', (d) => { oneBook(d).delete.operationId = 'dropBook'; oneBook(d).delete.requestBody = { required: true, ...json({}) } }],
  ['an experimental operation goes', (d) => { delete oneBook(d).delete }],
  ['one more server, listed first', (d) => { d.servers.unshift({ url: 'https://books.example/v1' }) }],
  ['a server without its variable', (d) => { d.servers = [{ url: '/v1' }] }],
  ['a server that is relative to the document', (d) => { d.servers = [{ url: './v1' }] }],
  ['no key is asked for', (d) => { listBooks(d).security = [] }],
  ['one alternative more', (d) => { listBooks(d).security = [{ badge: [] }, { reader: [] }] }],
  ['a scope less', (d) => { oneBook(d).get.security[1].badge = [] }],
  ['a security scheme is renamed', (d) => { d.security = [{ other: [] }]; oneBook(d).get.security[0] = { other: [] } }]
]

t.test('a change of an operation that breaks nobody is let pass', async (t) => {
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
