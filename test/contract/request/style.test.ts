import t from 'tap'
import { serveParameters } from '../books.js'

const STRING = { type: 'string' }
const INTEGERS = { type: 'array', items: { type: 'integer' } }
const COLOR = {
  type: 'object',
  properties: { R: { type: 'integer' }, G: { type: 'integer' } },
  required: ['R'],
  additionalProperties: false
}

/** style, explode, schema, what is sent, and what arrives, or the end of the message. */
type Row = [style: string, explode: boolean, schema: object, sent: string, value: unknown]

t.test('every style of a path, exploded and not (OpenAPI 3.1.1, section 4.8.12.4)', async (t) => {
  const rows: Row[] = [
    ['simple', false, STRING, 'blue', 'blue'],
    ['simple', false, STRING, 'a%2Cb%2Fc%20%E2%82%AC', 'a,b/c €'],
    ['simple', false, INTEGERS, '1,2,3', [1, 2, 3]],
    ['simple', true, INTEGERS, '1,2,3', [1, 2, 3]],
    ['simple', false, { type: 'array', items: STRING }, 'a%2Cb,c', ['a,b', 'c']],
    ['simple', false, COLOR, 'R,100,G,200', { R: 100, G: 200 }],
    ['simple', true, COLOR, 'R=100,G=200', { R: 100, G: 200 }],
    ['label', false, STRING, '.blue', 'blue'],
    ['label', false, INTEGERS, '.1,2', [1, 2]],
    ['label', true, INTEGERS, '.1.2', [1, 2]],
    ['label', false, COLOR, '.R,100,G,200', { R: 100, G: 200 }],
    ['label', true, COLOR, '.R=100.G=200', { R: 100, G: 200 }],
    ['matrix', false, STRING, ';color=blue', 'blue'],
    ['matrix', false, STRING, ';color', ''],
    ['matrix', false, INTEGERS, ';color=1,2', [1, 2]],
    ['matrix', true, INTEGERS, ';color=1;color=2', [1, 2]],
    ['matrix', false, COLOR, ';color=R,100,G,200', { R: 100, G: 200 }],
    ['matrix', true, COLOR, ';R=100;G=200', { R: 100, G: 200 }],
    ['simple', false, INTEGERS, '1,x', "'color.1' must be an integer."],
    ['simple', false, COLOR, 'R,100,G', "'color' must be names and values in turn."],
    ['simple', true, COLOR, 'R=100,G', "'color' must be names and values, each with = between them."],
    ['simple', true, COLOR, 'R=1,B=2', "'color.B' is not known."],
    ['simple', true, COLOR, 'G=1', "'color.R' is required."],
    ['label', false, STRING, 'blue', "'color' must begin with '.'."],
    ['matrix', false, STRING, 'blue', "'color' must begin with ';color'."],
    ['matrix', false, STRING, ';colour=blue', "'color' must begin with ';color'."],
    ['matrix', false, STRING, ';color=a;color=b', "'color' must be given only once."]
  ]
  for (const [style, explode, schema, sent, value] of rows) {
    const { call, received } = await serveParameters(
      t,
      [{ name: 'color', in: 'path', style, explode, schema }],
      '/books/{color}/pages'
    )
    const title = `${style} ${explode} ${sent}`
    const reply = await call('GET', `/books/${sent}/pages`)
    if (typeof value === 'string' && value.startsWith("'")) {
      t.match(reply, { status: 400, json: { message: `Path parameter ${value}` } }, title)
    } else t.same([reply.status, received().params], [204, { color: value }], title)
  }
})

t.test('every style of a query, exploded and not', async (t) => {
  const STRINGS = { type: 'array', items: STRING }
  const FREE = { type: 'object', additionalProperties: { type: 'integer' } }
  const TUPLE = { type: 'array', prefixItems: [{ type: 'integer' }, STRING], items: { type: 'boolean' } }
  const NUMBERED = { properties: { n: { type: 'integer' } } }
  const DEEP = {
    type: 'object',
    additionalProperties: false,
    properties: {
      size: { type: 'object', properties: { min: { type: 'integer' } }, additionalProperties: false },
      tags: STRINGS,
      ids: INTEGERS
    }
  }
  const rows: Row[] = [
    ['form', true, STRING, 'color=blue', { color: 'blue' }],
    ['form', true, INTEGERS, 'color=1&color=2', { color: [1, 2] }],
    ['form', true, INTEGERS, 'color=1', { color: [1] }],
    ['form', true, COLOR, 'R=100&G=200', { color: { R: 100, G: 200 } }],
    ['form', true, FREE, 'a=1&b=2', { color: { a: 1, b: 2 } }],
    ['form', true, COLOR, '', {}],
    ['form', false, STRING, 'color=blue', { color: 'blue' }],
    ['form', false, STRINGS, 'color=a,b%2Cc,d+e', { color: ['a', 'b,c', 'd e'] }],
    ['form', false, COLOR, 'color=R,100,G,200', { color: { R: 100, G: 200 } }],
    ['spaceDelimited', false, INTEGERS, 'color=1%202+3', { color: [1, 2, 3] }],
    ['spaceDelimited', false, COLOR, 'color=R%20100%20G%20200', { color: { R: 100, G: 200 } }],
    ['spaceDelimited', true, INTEGERS, 'color=1&color=2', { color: [1, 2] }],
    ['pipeDelimited', false, INTEGERS, 'color=1%7C2|3', { color: [1, 2, 3] }],
    ['pipeDelimited', false, COLOR, 'color=R%7c100|G|200', { color: { R: 100, G: 200 } }],
    ['deepObject', true, COLOR, 'color[R]=100&color%5BG%5D=200', { color: { R: 100, G: 200 } }],
    [
      'deepObject',
      true,
      DEEP,
      'color[size][min]=1&color[tags][]=a&color[tags][]=b&color[ids][1]=8&color[ids][0]=7',
      { color: { size: { min: 1 }, tags: ['a', 'b'], ids: [7, 8] } }
    ],
    ['deepObject', true, STRINGS, 'color[]=a&color[]=b', { color: ['a', 'b'] }],
    ['deepObject', true, STRINGS, 'color=a', { color: ['a'] }],
    [
      'form',
      true,
      { type: 'array', items: COLOR },
      'color={"R":1}&color=%7B%22R%22:2%7D',
      { color: [{ R: 1 }, { R: 2 }] }
    ],
    ['form', true, { anyOf: [{ type: 'integer' }, INTEGERS] }, 'color=1', { color: 1 }],
    ['form', true, { anyOf: [{ type: 'integer' }, INTEGERS] }, 'color=1&color=2', { color: [1, 2] }],
    ['form', true, { oneOf: [{ type: 'boolean' }, COLOR] }, 'color=true', { color: true }],
    ['form', true, { enum: [1, 2] }, 'color=2', { color: 2 }],
    ['form', true, {}, 'color=2', { color: '2' }],
    ['form', true, COLOR, 'R=100&B=1', "'B' is not known."],
    ['form', true, COLOR, 'G=1', "'color.R' is required."],
    ['form', true, COLOR, 'color=R', "'color' must be an object."],
    ['form', true, FREE, 'a=x', "'color.a' must be an integer."],
    ['form', false, INTEGERS, 'color=1&color=2', "'color' may be given only once."],
    ['form', false, INTEGERS, 'color=1,x', "'color.1' must be an integer."],
    ['deepObject', true, COLOR, 'color[R]=x', "'color.R' must be an integer."],
    ['deepObject', true, COLOR, 'color[R]=1&color[B]=1', "'color.B' is not known."],
    ['deepObject', true, COLOR, 'color=1', "'color' must be an object."],
    ['deepObject', true, COLOR, 'color[R]=1&color=2', "'color' may be given only once."],
    ['deepObject', true, COLOR, 'color[R]=1&color[R]=2', "'color.R' may be given only once."],
    ['deepObject', true, COLOR, 'color[R=1', "'color[R' is not known."],
    ['deepObject', true, COLOR, 'shade[R]=1', "'shade[R]' is not known."],
    ['form', true, { type: 'array', items: COLOR }, 'color={', "'color.0' must be an object."],
    ['form', true, TUPLE, 'color=1&color=a&color=true', { color: [1, 'a', true] }],
    ['form', false, TUPLE, 'color=1,2,false', { color: [1, '2', false] }],
    ['form', true, TUPLE, 'color=a', "'color.0' must be an integer."],
    ['deepObject', true, TUPLE, 'color[1]=2&color[0]=1', { color: [1, '2'] }],
    ['deepObject', true, TUPLE, 'color[]=1&color[]=2', { color: [1, '2'] }],
    ...[
      { patternProperties: { '^n': { type: 'integer' } } },
      { unevaluatedProperties: { type: 'integer' } },
      { if: true, then: NUMBERED },
      { if: false, else: NUMBERED },
      { properties: { kind: STRING }, dependentSchemas: { kind: NUMBERED } }
    ].flatMap((schema): Row[] => [
      ['deepObject', true, { type: 'object', ...schema }, 'color[n]=1', { color: { n: 1 } }],
      ['form', true, { type: 'object', ...schema }, 'n=1', { color: { n: 1 } }]
    ])
  ]
  for (const [style, explode, schema, sent, value] of rows) {
    const { call, received } = await serveParameters(t, [{ name: 'color', in: 'query', style, explode, schema }])
    const title = `${style} ${explode} ${sent}`
    const reply = await call('GET', `/books?${sent}`)
    if (typeof value === 'string') t.match(reply, { status: 400, json: { message: `Query parameter ${value}` } }, title)
    else t.same([reply.status, received().query], [204, value], title)
  }
})

t.test('headers and cookies have their styles too; what is not declared passes', async (t) => {
  const { call, received } = await serveParameters(t, [
    { name: 'X-Ids', in: 'header', schema: INTEGERS },
    { name: 'X-Color', in: 'header', explode: true, schema: COLOR },
    { name: 'X-Flat', in: 'header', schema: COLOR },
    { name: 'X-List', in: 'header', schema: { type: 'array', items: COLOR } },
    { name: 'session', in: 'cookie', schema: { type: 'integer' } },
    { name: 'ids', in: 'cookie', explode: false, schema: INTEGERS },
    { name: 'color', in: 'cookie', schema: COLOR }
  ])
  const headers = {
    'x-ids': '1, 2,3',
    'x-color': 'R=100,G=200',
    'x-flat': 'R, 1',
    'x-list': '{"R":1}, {"R":2}',
    'x-other': 'a',
    cookie: 'session=5; ids=1,2; R=7; theme=dark'
  }
  t.equal((await call('GET', '/books', undefined, headers)).status, 204)
  t.match(received().headers, {
    'x-ids': [1, 2, 3],
    'x-color': { R: 100, G: 200 },
    'x-flat': { R: 1 },
    'x-list': [{ R: 1 }, { R: 2 }],
    'x-other': 'a'
  })
  t.same((received() as { cookies?: unknown }).cookies, { session: 5, ids: [1, 2], color: { R: 7 } })
  for (const [header, value, message] of [
    ['x-ids', '1,x', "Header 'X-Ids.1' must be an integer."],
    ['x-list', '{', "Header 'X-List' must be an array."],
    ['x-color', 'R', "Header 'X-Color' must be names and values, each with = between them."],
    ['x-color', 'G=1', "Header 'X-Color.R' is required."],
    ['cookie', 'session=x', "Cookie 'session' must be an integer."],
    ['cookie', 'session=1; session=2', "Cookie 'session' may be given only once."],
    ['cookie', 'ids=1,x', "Cookie 'ids.1' must be an integer."]
  ] as const) {
    t.match(await call('GET', '/books', undefined, { [header]: value }), { status: 400, json: { message } }, message)
  }
})

t.test('a required cookie is required, and parameters that OpenAPI describes elsewhere are ignored', async (t) => {
  const { call } = await serveParameters(t, [
    { name: 'session', in: 'cookie', required: true, schema: STRING },
    ...['Accept', 'content-type', 'AUTHORIZATION'].map((name) => ({
      name,
      in: 'header',
      required: true,
      schema: { type: 'integer' }
    }))
  ])
  t.match(await call('GET', '/books'), { status: 400, json: { message: "Cookie 'session' is required." } })
  t.equal((await call('GET', '/books', undefined, { cookie: 'session=', accept: 'text/plain' })).status, 204)
})

t.test('a parameter may be JSON, and an empty value may be allowed', async (t) => {
  const { call, received } = await serveParameters(t, [
    { name: 'filter', in: 'query', content: { 'application/json': { schema: COLOR } } },
    { name: 'X-Note', in: 'header', content: { 'text/plain': { schema: STRING } } },
    { name: 'draft', in: 'query', allowEmptyValue: true, schema: { type: 'boolean' } },
    { name: 'odd[name]', in: 'query', schema: STRING }
  ])
  await call('GET', `/books?filter=${encodeURIComponent('{"R":1}')}&draft=&odd%5Bname%5D=x`, undefined, {
    'x-note': 'a, b'
  })
  t.same(received().query, { filter: { R: 1 }, draft: '', 'odd[name]': 'x' })
  t.equal(received().headers['x-note'], 'a, b')
  for (const [query, message] of [
    ['filter={', "Query parameter 'filter' is not valid JSON."],
    ['filter={"R":"1"}', "Query parameter 'filter.R' must be an integer."],
    ['filter={"R":1}&filter={"R":1}', "Query parameter 'filter' may be given only once."]
  ] as const) {
    t.match(await call('GET', `/books?${query.replaceAll('"', '%22')}`), { status: 400, json: { message } }, message)
  }
})
