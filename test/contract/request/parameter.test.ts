import t from 'tap'
import { read, serve } from '../books.js'

const parameter = (name: string, where: string, schema: object) => ({
  name,
  in: where,
  required: where === 'path',
  schema
})

/**
 * Serves GET /books/{code}, which answers 204 and whose parameter `code` has the schema, with one of the query and one
 * in the header.
 */
async function serveParameters (
  t: Parameters<typeof serve>[0],
  query: Record<string, object>,
  { header = {}, path = { type: 'string' } }: { header?: Record<string, object>; path?: object } = {}
) {
  const parameters = [
    parameter('code', 'path', path),
    ...Object.entries(query).map(([name, schema]) => parameter(name, 'query', schema)),
    ...Object.entries(header).map(([name, schema]) => parameter(name, 'header', schema))
  ]
  const document = await read({
    paths: {
      '/books/{code}': { get: { operationId: 'getBook', parameters, responses: { 204: { description: 'Done.' } } } }
    },
    components: {
      schemas: {
        Page: { type: 'integer', minimum: 1, default: 3 },
        Pages: { type: 'array', items: { $ref: '#/components/schemas/Page' } },
        Genre: { type: 'string', enum: ['novel', 'poem'] }
      }
    }
  })
  return serve(t, document, { getBook: () => undefined })
}

t.test('a number has the spellings of JSON in every place, also within arrays and objects', async (t) => {
  const number = { type: 'number' }
  const list = { type: 'array', items: number }
  const parameters = [
    parameter('code', 'path', number),
    parameter('list', 'query', list),
    { ...parameter('piped', 'query', list), style: 'pipeDelimited', explode: false },
    { ...parameter('deep', 'query', { type: 'object', properties: { n: number } }), style: 'deepObject' },
    parameter('X-N', 'header', number),
    parameter('X-List', 'header', list),
    parameter('n', 'cookie', number)
  ]
  const content = { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties: { n: number, list } } } }
  const operation = { operationId: 'getBook', parameters, requestBody: { content }, responses: { 204: { description: '.' } } }
  const { call, received } = await serve(t, await read({ paths: { '/books/{code}': { post: operation } } }), {
    getBook: () => undefined
  })
  const headers = { 'x-n': '1e+21', 'x-list': '1E5, -1e-7', cookie: 'n=1e+21', 'content-type': 'application/x-www-form-urlencoded' }
  const query = 'list=1e-7&list=1E5&piped=1e2|2e2&deep[n]=1e%2B21'
  t.equal((await call('POST', `/books/1e+21?${query}`, 'n=1e-7&list=1e5&list=2', headers)).status, 204)
  t.match(received(), {
    params: { code: 1e21 },
    query: { list: [1e-7, 1e5], piped: [100, 200], deep: { n: 1e21 } },
    headers: { 'x-n': 1e21, 'x-list': [1e5, -1e-7] },
    body: { n: 1e-7, list: [1e5, 2] }
  })
})

t.test('an integer and a boolean have one spelling, a number those of JSON', async (t) => {
  const { call, received } = await serveParameters(t, {
    integer: { type: 'integer' },
    number: { type: 'number' },
    boolean: { type: 'boolean' },
    string: { type: 'string' }
  })
  const taken: [query: string, value: unknown][] = [
    ['integer=0', 0],
    ['integer=20', 20],
    ['integer=-1', -1],
    ['integer=9007199254740991', 9007199254740991],
    ['number=0', 0],
    ['number=-1', -1],
    ['number=0.5', 0.5],
    ['number=-12.25', -12.25],
    ['number=1.50', 1.5],
    ['number=9007199254740993', 9007199254740992],
    ['number=12345678901234567890', Number('12345678901234567890')],
    ...['1e-7', '1E5', '1e%2B21', '1e1', '1.5e300', '-2.5E-3', '0e0'].map((text): [string, number] => [
      `number=${text}`,
      Number(decodeURIComponent(text))
    ]),
    ['boolean=true', true],
    ['boolean=false', false],
    ['string=', ''],
    ['string=20', '20'],
    ['string=true', 'true'],
    ['string=null', 'null'],
    ['string=a%20b+c', 'a b c'],
    ['string=%E2%82%AC', '€']
  ]
  for (const [query, value] of taken) {
    t.equal((await call('GET', `/books/a?${query}`)).status, 204, query)
    t.same(received().query, { [query.split('=')[0]!]: value }, query)
  }
  const refused: [type: string, noun: string, values: string[]][] = [
    [
      'integer',
      'an integer',
      [
        '',
        'x',
        '-',
        '--1',
        '+5',
        '%2B5',
        '05',
        '-05',
        '00',
        '-0',
        '0x10',
        '0b1',
        '1e1',
        '1.0',
        '1.',
        '.5',
        '%205',
        '5%20',
        '5%0A',
        '1_0',
        '1,000',
        '٣',
        'null',
        'NaN',
        'Infinity',
        'true'
      ]
    ],
    [
      'number',
      'a number',
      [
        ...['', 'x', '+5', '05', '1.', '.5', '0x1', '%205', 'NaN', 'Infinity', '-', `${'9'.repeat(400)}`],
        ...['1e', 'e5', '1e+', '1e1.5', '01e5', '1.e5', '1e400', '-1e400', '1e-400', '1e+21', '1e5%20', '1E5n']
      ]
    ],
    ['boolean', 'true or false', ['', '1', '0', 'yes', 'True', 'TRUE', 'on', 'null', '%20true']]
  ]
  for (const [name, noun, values] of refused) {
    for (const value of values) {
      t.match(
        await call('GET', `/books/a?${name}=${value}`),
        { status: 400, json: { message: `Query parameter '${name}' must be ${noun}.` } },
        `${name}=${value}`
      )
    }
  }
  t.match(await call('GET', '/books/a?integer=1&integer=2'), {
    status: 400,
    json: { message: "Query parameter 'integer' may be given only once." }
  })
  t.match(await call('GET', '/books/a?string=a&string=b'), {
    status: 400,
    json: { message: "Query parameter 'string' may be given only once." }
  })
  t.match(await call('GET', '/books/a?integer=x&other=1&boolean=1&boolean=2'), {
    status: 400,
    json: {
      message:
        "Query parameter 'other' is not known. Query parameter 'integer' must be an integer. Query parameter 'boolean' may be given only once."
    }
  })
})

t.test('an integer without a format is one that a double holds', async (t) => {
  const { call } = await serveParameters(t, { any: { type: 'integer' }, few: { type: 'integer', maximum: 100 } })
  t.equal(
    (await call('GET', '/books/a?any=9007199254740993')).json.message,
    "Query parameter 'any' must be from -9007199254740991 to 9007199254740991."
  )
  t.equal(
    (await call('GET', '/books/a?few=9007199254740993')).json.message,
    "Query parameter 'few' must be at most 100."
  )
  t.equal(
    (await call('GET', `/books/a?few=${'9'.repeat(500)}`)).json.message,
    "Query parameter 'few' must be at most 100."
  )
})

t.test('an array is the parameter once or several times', async (t) => {
  const { call, received } = await serveParameters(t, {
    codes: { type: 'array', items: { type: 'integer' }, maxItems: 3 },
    pages: { $ref: '#/components/schemas/Pages' }
  })
  for (const [query, value] of [
    ['codes=1', { codes: [1] }],
    ['codes=1&codes=2', { codes: [1, 2] }],
    ['pages=4&codes=5', { pages: [4], codes: [5] }]
  ] as const) {
    t.equal((await call('GET', `/books/a?${query}`)).status, 204, query)
    t.same(received().query, value, query)
  }
  for (const [query, message] of [
    ['codes=1,2', "Query parameter 'codes.0' must be an integer."],
    ['codes=1&codes=x', "Query parameter 'codes.1' must be an integer."],
    ['codes=1&codes=2&codes=3&codes=4', "Query parameter 'codes' must have at most 3 items."],
    ['pages=0', "Query parameter 'pages.0' must be at least 1."]
  ] as const) {
    t.match(await call('GET', `/books/a?${query}`), { status: 400, json: { message } }, query)
  }
})

t.test('the type may stand behind a reference or in a part of the schema', async (t) => {
  const page = { $ref: '#/components/schemas/Page' }
  const { call, received } = await serveParameters(t, {
    ref: page,
    all: { allOf: [page] },
    any: { anyOf: [{ type: 'boolean' }, page] },
    either: { type: ['integer', 'null'] },
    genre: { $ref: '#/components/schemas/Genre' }
  })
  for (const [query, value] of [
    ['ref=5', { ref: 5 }],
    ['all=5', { all: 5 }],
    ['any=5', { any: 5 }],
    ['any=true', { any: true }],
    ['either=5', { either: 5 }],
    ['genre=poem', { genre: 'poem' }]
  ] as const) {
    t.equal((await call('GET', `/books/a?${query}`)).status, 204, query)
    t.match(received().query, value, query)
  }
  t.equal((await call('GET', '/books/a?all=0')).json.message, "Query parameter 'all' must be at least 1.")
  t.equal(
    (await call('GET', '/books/a?genre=film')).json.message,
    "Query parameter 'genre' must be one of: novel, poem."
  )
})

t.test('a parameter that was not sent has its default, also through a reference', async (t) => {
  const { call, received } = await serveParameters(
    t,
    {
      limit: { type: 'integer', default: 20 },
      page: { $ref: '#/components/schemas/Page' },
      sort: { type: 'array', items: { type: 'string' }, default: ['title'] },
      none: { type: 'string' }
    },
    { header: { 'X-Page': { $ref: '#/components/schemas/Page' } } }
  )
  await call('GET', '/books/a')
  t.same(received().query, { limit: 20, page: 3, sort: ['title'] })
  t.equal(received().headers['x-page'], 3)
  received().query.sort.push('changed by a handler')
  await call('GET', '/books/a?page=7')
  t.same(received().query, { limit: 20, page: 7, sort: ['title'] })
})

t.test('what is not declared for the query is refused by name', async (t) => {
  const { call } = await serveParameters(t, { limit: { type: 'integer' } })
  for (const name of ['page', 'Limit', 'limit[]', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '']) {
    t.match(
      await call('GET', `/books/a?${encodeURIComponent(name)}=1`),
      { status: 400, json: { message: `Query parameter '${name}' is not known.` } },
      name
    )
  }
})

t.test('path parameters and headers are decoded as the query is; other headers pass', async (t) => {
  const { call, received } = await serveParameters(
    t,
    {},
    {
      path: { type: 'integer', maximum: 99 },
      header: { 'X-Pages': { type: 'integer', minimum: 1 }, 'X-Draft': { type: 'boolean' } }
    }
  )
  t.equal(
    (await call('GET', '/books/7', undefined, { 'x-pages': '12', 'X-DRAFT': 'true', 'x-other': '1' })).status,
    204
  )
  t.same(received().params, { code: 7 })
  t.match(received().headers, { 'x-pages': 12, 'x-draft': true, 'x-other': '1' })
  for (const [path, headers, message] of [
    ['/books/07', {}, "Path parameter 'code' must be an integer."],
    ['/books/100', {}, "Path parameter 'code' must be at most 99."],
    ['/books/7', { 'x-pages': '0' }, "Header 'X-Pages' must be at least 1."],
    ['/books/7', { 'x-pages': '1, 2' }, "Header 'X-Pages' must be an integer."],
    ['/books/7', { 'x-draft': 'no' }, "Header 'X-Draft' must be true or false."]
  ] as const) {
    t.match(await call('GET', path, undefined, headers), { status: 400, json: { message } }, message)
  }
})
