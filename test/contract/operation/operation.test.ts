import t from 'tap'
import { ContractError } from '../../../src/contract/document/contract-error.js'
import { operationsOf } from '../../../src/contract/operation/operation.js'
import { DONE, read, serve } from '../books.js'

const JSON_BODY = { content: { 'application/json': { schema: { type: 'object' } } } }
const query = (name: string, more: object = {}) => ({ name, in: 'query', schema: { type: 'string' }, ...more })
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } })

interface Surroundings {
  path?: string
  method?: string
  item?: object
  [field: string]: unknown
}

/** The one operation of a document that has nothing else. */
async function operationWith (object: object, { path = '/books', method = 'put', item = {}, ...document }: Surroundings = {}) {
  return operationsOf(
    await read({
      paths: { [path]: { ...item, [method]: { operationId: 'theOne', responses: DONE, ...object } } },
      ...document
    })
  )[0]!
}

t.test('every operation of the document is in one flat list, in its order', async (t) => {
  const document = await read({
    paths: {
      '/shelves': { get: { operationId: 'listShelves', tags: ['Shelves'], responses: DONE } },
      '/books/{bookId}': {
        parameters: [inPath('bookId')],
        delete: { operationId: 'removeBook', responses: DONE },
        get: {
          operationId: 'getBook',
          responses: {
            200: { description: 'The book.', ...JSON_BODY },
            404: { description: 'None.' },
            default: { description: 'Else.' }
          }
        }
      }
    }
  })
  const found = operationsOf(document).map(({ operationId, method, path, pointer, tags, success, responses }) => ({
    operationId,
    method,
    path,
    pointer,
    tags,
    success,
    statuses: [...responses.keys()]
  }))
  t.same(found, [
    {
      operationId: 'listShelves',
      method: 'get',
      path: '/shelves',
      pointer: '#/paths/~1shelves/get',
      tags: ['Shelves'],
      success: 204,
      statuses: ['204']
    },
    {
      operationId: 'getBook',
      method: 'get',
      path: '/books/{bookId}',
      pointer: '#/paths/~1books~1%7BbookId%7D/get',
      tags: [],
      success: 200,
      statuses: ['200', '404', 'default']
    },
    {
      operationId: 'removeBook',
      method: 'delete',
      path: '/books/{bookId}',
      pointer: '#/paths/~1books~1%7BbookId%7D/delete',
      tags: [],
      success: 204,
      statuses: ['204']
    }
  ])
  t.same(operationsOf(await read({})), [])
})

t.test(
  'parameters of the path hold for each of its operations, unless one replaces them by name and place',
  async (t) => {
    const wanted: [title: string, ofPath: object[], ofOperation: object[] | undefined, merged: string[]][] = [
      ['inherited', [query('page')], undefined, ['query page string']],
      ['own', [], [query('page')], ['query page string']],
      ['both', [query('page')], [query('size')], ['query size string', 'query page string']],
      ['replaced', [query('page')], [query('page', { schema: { type: 'integer' } })], ['query page integer']],
      [
        'not replaced from another place',
        [query('page')],
        [{ ...query('page'), in: 'header', schema: { type: 'integer' } }],
        ['header page integer', 'query page string']
      ],
      [
        'referenced',
        [{ $ref: '#/components/parameters/Page' }],
        [{ $ref: '#/components/parameters/Size' }],
        ['query size integer', 'query page integer']
      ],
      [
        'replaced through a reference',
        [{ $ref: '#/components/parameters/Page' }],
        [query('page')],
        ['query page string']
      ]
    ]
    const components = {
      parameters: {
        Page: query('page', { schema: { type: 'integer' } }),
        Size: query('size', { schema: { type: 'integer' } })
      }
    }
    for (const [title, ofPath, ofOperation, merged] of wanted) {
      const { parameters } = await operationWith(ofOperation ? { parameters: ofOperation } : {}, {
        item: { parameters: ofPath },
        components
      })
      t.same(
        parameters.map((parameter) => `${parameter.in} ${parameter.name} ${parameter.schema!.type}`),
        merged,
        title
      )
    }
  }
)

t.test('security is inherited, replaced, or lifted by an empty list', async (t) => {
  const components = {
    securitySchemes: { key: { type: 'http', scheme: 'bearer' }, badge: { type: 'http', scheme: 'basic' } }
  }
  const wanted: [
    title: string,
    ofDocument: object[] | undefined,
    ofOperation: object[] | undefined,
    security: object[]
  ][] = [
    ['none', undefined, undefined, []],
    ['inherited', [{ key: [] }], undefined, [{ key: [] }]],
    [
      'replaced, with scopes',
      [{ key: [] }],
      [{ key: ['books:read'] }, { badge: [] }],
      [{ key: ['books:read'] }, { badge: [] }]
    ],
    ['lifted', [{ key: [] }], [], []],
    ['own', undefined, [{ key: [] }], [{ key: [] }]]
  ]
  for (const [title, ofDocument, ofOperation, security] of wanted) {
    const operation = await operationWith(ofOperation ? { security: ofOperation } : {}, {
      components,
      ...(ofDocument ? { security: ofDocument } : {})
    })
    t.same(operation.security, security, title)
  }
})

t.test('the body is required or not, and may be referenced', async (t) => {
  const components = { requestBodies: { Book: { required: true, ...JSON_BODY } } }
  t.equal((await operationWith({})).body, undefined)
  t.same((await operationWith({ requestBody: JSON_BODY })).body, { required: false, ...JSON_BODY })
  t.same((await operationWith({ requestBody: { required: true, ...JSON_BODY } })).body, {
    required: true,
    ...JSON_BODY
  })
  t.same((await operationWith({ requestBody: { $ref: '#/components/requestBodies/Book' } }, { components })).body, {
    required: true,
    ...JSON_BODY
  })
})

t.test('responses are found through their references', async (t) => {
  const { responses, success } = await operationWith(
    { responses: { 201: { $ref: '#/components/responses/Added' } } },
    { components: { responses: { Added: { description: 'Added.', ...JSON_BODY } } } }
  )
  t.equal(success, 201)
  t.same(responses.get('201'), { description: 'Added.', ...JSON_BODY })
})

t.test('deprecation and stability are read', async (t) => {
  const dates = { deprecated: true, 'x-deprecated-since': '2025-12-05', 'x-deprecated-sunset': '2030-12-05' }
  const [since, sunset] = [new Date('2025-12-05T00:00:00Z'), new Date('2030-12-05T00:00:00Z')]
  t.same((await operationWith(dates)).deprecation, { since, sunset, successor: undefined })
  t.same((await operationWith({ ...dates, 'x-successor': 'theOne' })).deprecation, {
    since,
    sunset,
    successor: 'theOne'
  })
  for (const object of [{}, { deprecated: false }]) t.equal((await operationWith(object)).deprecation, undefined)
  for (const stability of ['experimental', 'beta']) {
    t.equal((await operationWith({ 'x-stability': stability })).stability, stability)
  }
  t.notOk('stability' in (await operationWith({})))
})

t.test('what could only be half-served is refused, with the place', async (t) => {
  const at = '#/paths/~1books/put'
  const parameter = (given: object, what: string): [object, string, Surroundings?] => [
    { parameters: [given] },
    `${at}/parameters/0: the parameter 'page' ${what}, which is not supported.`
  ]
  const since = { 'x-deprecated-since': '2025-12-05' }
  const sunset = { 'x-deprecated-sunset': '2030-12-05' }
  const path = (template: string, parameters: object[], message: string): [object, string, Surroundings] => [
    { parameters },
    `#/paths/${encodeURIComponent(template.replaceAll('/', '~1'))}/put: ${message}`,
    { path: template }
  ]
  const refused: [object: object, message: string, surroundings?: Surroundings][] = [
    [{ operationId: undefined }, `${at}: the operation has no operationId, so no handler can be named after it.`],
    [
      { responses: { 101: { description: 'Switching.' } } },
      `${at}: every response is of 1xx, which answers no request (RFC 9110, section 15.2).`
    ],
    [
      { responses: { 200: { description: 'A.', content: { csv: {} } } } },
      `${at}/responses/200/content: 'csv' is no media type.`
    ],
    [
      { requestBody: { content: { 'text/csv, text/plain': {} } } },
      `${at}/requestBody/content: 'text/csv, text/plain' is no media type.`
    ],
    [{ parameters: [{ $ref: '#/info' }] }, '#/info: this is referred to as a parameter, but is none.'],
    [
      { requestBody: { $ref: '#/info' } },
      '#/info: this is referred to as a request body, but is none.',
      { method: 'put' }
    ],
    [
      { requestBody: JSON_BODY },
      '#/paths/~1books/trace/requestBody: a TRACE request has no body (RFC 9110, section 9.3.8).',
      { method: 'trace' }
    ],
    [{ 'x-stability': 'alpha' }, `${at}: x-stability is alpha; it may be experimental or beta.`],
    parameter({ name: 'page', in: 'query', content: { 'application/xml': {} } }, 'has content of application/xml'),
    parameter(
      query('page', { schema: { anyOf: [{ type: 'array' }, { type: 'object' }] } }),
      'may be an object or an array, which look the same in the style form'
    ),
    path('/books/{id}', [], 'the path has {id}, but no parameter of that name is declared.'),
    path('/books', [inPath('id')], "the path parameter 'id' does not stand in the path."),
    path('/books?page=1', [], 'the path /books?page=1 has a query or a fragment, which is not part of a path.'),
    path('/books#first', [], 'the path /books#first has a query or a fragment, which is not part of a path.'),
    path(
      '/books%2Fnew',
      [],
      'the path /books%2Fnew has a percent sign that stands for no character of a path, which is not supported.'
    ),
    [{ deprecated: true, ...sunset }, `${at}: the operation is deprecated, but has no x-deprecated-since.`],
    [{ deprecated: true, ...since }, `${at}: the operation is deprecated, but has no x-deprecated-sunset.`],
    [since, `${at}: the operation has dates of deprecation, but not deprecated: true.`],
    [{ deprecated: false, ...sunset }, `${at}: the operation has dates of deprecation, but not deprecated: true.`],
    [
      { deprecated: true, ...since, 'x-deprecated-sunset': '2025-12-05' },
      `${at}: x-deprecated-sunset must be later than x-deprecated-since.`
    ],
    ...['2030-02-30', '2030-13-01', '2030-1-1', '05.12.2030', '2030-12-05T00:00:00Z', '', '20301205'].map(
      (date): [object, string] => [
        { deprecated: true, ...since, 'x-deprecated-sunset': date },
        `${at}: x-deprecated-sunset is '${date}'; it must be a date such as 2030-12-05.`
      ]
    ),
    [
      { deprecated: true, ...since, ...sunset, 'x-successor': 'nobody' },
      `${at}: x-successor names nobody, which is no operationId.`
    ]
  ]
  for (const [object, message, surroundings] of refused) {
    await t.rejects(operationWith(object, surroundings), new ContractError(message), message)
  }

  const twins = await read({
    paths: {
      '/books': { get: { operationId: 'books', responses: DONE } },
      '/shelves': { get: { operationId: 'books', responses: DONE } }
    }
  })
  t.throws(
    () => operationsOf(twins),
    new ContractError('#/paths/~1shelves/get: the operationId books is already that of #/paths/~1books/get.')
  )
  const oneShape = await read({
    paths: {
      '/books/{id}': { get: { operationId: 'a', parameters: [inPath('id')], responses: DONE } },
      '/books/{isbn}': { get: { operationId: 'b', parameters: [inPath('isbn')], responses: DONE } }
    }
  })
  t.throws(
    () => operationsOf(oneShape),
    new ContractError(
      '#/paths/~1books~1%7Bisbn%7D/get: the path /books/{isbn} is the same as /books/{id}, so that no request could tell them apart.'
    )
  )
})

t.test('an operation may be served under two paths that refer to it', async (t) => {
  const document = await read({
    paths: {
      '/books': { get: { operationId: 'getBooks', responses: DONE } },
      '/old': { $ref: '#/paths/~1books' },
      '/both': { $ref: '#/components/pathItems/Both', post: { operationId: 'addBoth', responses: DONE } }
    },
    components: { pathItems: { Both: { put: { operationId: 'putBoth', responses: DONE } } } }
  })
  t.same(
    operationsOf(document).map(({ operationId, path }) => `${operationId} ${path}`),
    ['getBooks /books', 'getBooks /old', 'putBoth /both', 'addBoth /both']
  )
  const { call } = await serve(t, document, {
    getBooks: () => undefined,
    putBoth: () => undefined,
    addBoth: () => undefined
  })
  for (const [method, path] of [
    ['GET', '/books'],
    ['GET', '/old'],
    ['PUT', '/both'],
    ['POST', '/both']
  ] as const) {
    t.equal((await call(method, path)).status, 204)
  }
  const copied = await read({
    paths: {
      '/books': { get: { operationId: 'getBooks', responses: DONE } },
      '/old': { get: { operationId: 'getBooks', responses: DONE } }
    }
  })
  t.throws(() => operationsOf(copied), ContractError)
})
