import t from 'tap'
import { toInteger } from '../../../src/contract/document/int64.js'
import { echo, echoing, read, serve } from '../books.js'

const INT64 = { type: 'integer', format: 'int64' }
const REF = { $ref: '#/components/schemas/Code' }
const MAX = '9223372036854775807'
const MIN = '-9223372036854775808'
const EXACT = [
  '0',
  '1',
  '-1',
  '2147483648',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '4611686018427387905',
  MAX,
  MIN
]
const OUTSIDE = [
  '9223372036854775808',
  '-9223372036854775809',
  '18446744073709551616',
  '1000000000000000000000000000000',
  `1${'0'.repeat(300)}`
]
const RANGE = `must be from ${MIN} to ${MAX}.`
const object = (properties: object) => ({ type: 'object', properties, additionalProperties: false })

t.test('an integer is a number where that is exact, else a bigint', async (t) => {
  for (const digits of EXACT) t.equal(String(toInteger(digits)), digits)
  t.type(toInteger('9007199254740991'), 'number')
  t.type(toInteger('9007199254740992'), 'bigint')
})

/** Where an int64 stands in a body: the schema, and the text of a body that has the digits there. */
const PLACES: Record<string, [schema: object, body: (digits: string) => string, subject: string]> = {
  'a property': [object({ code: INT64 }), (n) => `{"code":${n}}`, "Body property 'code'"],
  'a property through a reference': [object({ code: REF }), (n) => `{"code":${n}}`, "Body property 'code'"],
  'an array': [
    object({ codes: { type: 'array', items: REF } }),
    (n) => `{"codes":[1,${n}]}`,
    "Body property 'codes.1'"
  ],
  'a nested object': [
    object({ shelf: object({ book: object({ code: INT64 }) }) }),
    (n) => `{"shelf":{"book":{"code":${n}}}}`,
    "Body property 'shelf.book.code'"
  ],
  allOf: [
    {
      allOf: [
        { type: 'object', properties: { title: { type: 'string' } } },
        { type: 'object', properties: { code: INT64 } }
      ]
    },
    (n) => `{"code":${n}}`,
    "Body property 'code'"
  ],
  'allOf of a property': [object({ code: { allOf: [REF] } }), (n) => `{"code":${n}}`, "Body property 'code'"],
  nullable: [
    object({ code: { type: ['integer', 'null'], format: 'int64' } }),
    (n) => `{"code":${n}}`,
    "Body property 'code'"
  ],
  additionalProperties: [{ type: 'object', additionalProperties: INT64 }, (n) => `{"any":${n}}`, "Body property 'any'"],
  'the whole body': [INT64, (n) => n, 'The body']
}

for (const [place, [schema, body, subject]] of Object.entries(PLACES)) {
  t.test(`int64 is exact in ${place}: taken and answered digit for digit, refused outside its range`, async (t) => {
    const { put } = await echo(t, schema, { Code: INT64 })
    for (const digits of EXACT) {
      const { status, text } = await put(body(digits))
      t.same({ status, text }, { status: 200, text: body(digits) }, digits)
    }
    for (const digits of OUTSIDE) {
      t.match(await put(body(digits)), { status: 400, json: { message: `${subject} ${RANGE}` } }, digits)
    }
    for (const other of ['1.5', '"1"', 'true', '[]', '{}', '1e400']) {
      t.match(
        await put(body(other)),
        { status: 400, json: { message: `${subject} must be an integer${place === 'nullable' ? ' or null' : ''}.` } },
        other
      )
    }
  })
}

t.test('int64 is exact in the branches of anyOf, oneOf and of a list of types', async (t) => {
  const { put } = await echo(
    t,
    object({
      any: { anyOf: [INT64, { type: 'string' }] },
      one: { oneOf: [{ type: 'null' }, REF] },
      book: { oneOf: [{ type: 'null' }, object({ code: REF })] },
      list: { type: 'array', items: { anyOf: [object({ code: INT64 }), object({ title: { type: 'string' } })] } },
      several: { type: ['integer', 'string', 'null'], format: 'int64' }
    }),
    { Code: INT64 }
  )
  for (const value of [
    '"any":N',
    '"any":"x"',
    '"one":N',
    '"one":null',
    '"book":{"code":N}',
    '"book":null',
    '"list":[{"code":N},{"title":"x"},{"code":N}]',
    '"several":N',
    '"several":"x"',
    '"several":null'
  ]) {
    const sent = `{${value.replaceAll('N', MAX)}}`
    t.equal((await put(sent)).text, sent)
  }
  for (const value of [
    '"any":9223372036854775808',
    '"one":9223372036854775808',
    '"book":{"code":9223372036854775808}',
    '"several":9223372036854775808'
  ]) {
    t.equal((await put(`{${value}}`)).status, 400, value)
  }
})

t.test('int64 is exact for a nullable property of OpenAPI 3.0', async (t) => {
  const schema = { type: 'object', properties: { code: { ...INT64, nullable: true } } }
  const document = await echoing(schema, {}, '3.0.3')
  const { call } = await serve(t, document, { putBook: ({ body }) => body })
  for (const sent of [`{"code":${MAX}}`, '{"code":null}']) t.equal((await call('PUT', '/books', sent)).text, sent)
})

t.test('bounds are compared exactly, also from another part of an allOf', async (t) => {
  const { put } = await echo(
    t,
    object({
      min: { ...INT64, minimum: 10 },
      max: { ...INT64, maximum: 9007199254740992 },
      above: { ...INT64, exclusiveMinimum: 10 },
      below: { ...INT64, exclusiveMaximum: 9007199254740992 },
      step: { ...INT64, multipleOf: 5 },
      parts: { allOf: [REF, { minimum: 0, maximum: 9007199254740992 }] },
      full: { ...INT64, minimum: Number(MIN), maximum: Number(MAX) }
    }),
    { Code: INT64 }
  )
  const taken = [
    '"min":10',
    `"min":${MAX}`,
    '"max":9007199254740992',
    `"max":${MIN}`,
    '"above":11',
    '"below":9007199254740991',
    '"step":9007199254740995',
    '"step":-5',
    '"parts":9007199254740992',
    `"full":${MAX}`,
    `"full":${MIN}`
  ]
  for (const value of taken) t.equal((await put(`{${value}}`)).text, `{${value}}`)
  const refused: [value: string, message: string][] = [
    ['"min":9', "'min' must be at least 10."],
    [`"min":${MIN}`, "'min' must be at least 10."],
    ['"max":9007199254740993', "'max' must be at most 9007199254740992."],
    ['"above":10', "'above' must be more than 10."],
    ['"below":9007199254740992', "'below' must be less than 9007199254740992."],
    ['"step":9007199254740993', "'step' must be a multiple of 5."],
    ['"step":4', "'step' must be a multiple of 5."],
    ['"parts":9007199254740993', "'parts' must be at most 9007199254740992."],
    ['"parts":-9007199254740993', "'parts' must be at least 0."],
    ['"full":9223372036854775808', `'full' ${RANGE}`]
  ]
  for (const [value, message] of refused) {
    t.match(await put(`{${value}}`), { status: 400, json: { message: `Body property ${message}` } }, value)
  }
})

t.test('int64 is exact in path, query and header', async (t) => {
  const parameters = [
    { name: 'code', in: 'path', required: true, schema: REF },
    { name: 'after', in: 'query', schema: INT64 },
    { name: 'codes', in: 'query', schema: { type: 'array', items: REF } },
    { name: 'X-Code', in: 'header', schema: INT64 }
  ]
  const schema = object({ code: INT64, after: INT64, codes: { type: 'array', items: INT64 }, header: INT64 })
  const document = await read({
    paths: {
      '/books/{code}': {
        get: {
          operationId: 'getBook',
          parameters,
          responses: { 200: { description: 'What came.', content: { 'application/json': { schema } } } }
        }
      }
    },
    components: { schemas: { Code: INT64 } }
  })
  const { call } = await serve(t, document, {
    getBook: ({ params, query, headers }) => ({ code: params.code, ...query, header: headers['x-code'] })
  })
  for (const n of EXACT) {
    t.equal(
      (await call('GET', `/books/${n}?after=${n}&codes=${n}&codes=1`, undefined, { 'x-code': n })).text,
      `{"code":${n},"after":${n},"codes":[${n},1],"header":${n}}`
    )
  }
  for (const n of OUTSIDE.slice(0, 3)) {
    t.equal((await call('GET', `/books/${n}`)).json.message, `Path parameter 'code' ${RANGE}`)
    t.equal((await call('GET', `/books/1?after=${n}`)).json.message, `Query parameter 'after' ${RANGE}`)
    t.equal((await call('GET', `/books/1?codes=${n}`)).json.message, `Query parameter 'codes.0' ${RANGE}`)
    t.equal((await call('GET', '/books/1', undefined, { 'x-code': n })).json.message, `Header 'X-Code' ${RANGE}`)
  }
})

t.test('another integer is one that a double holds; a number is a double', async (t) => {
  const { put, received } = await echo(
    t,
    object({
      pages: { type: 'integer' },
      few: { type: 'integer', format: 'int32' },
      price: { type: 'number', multipleOf: 0.5, maximum: 1e30 },
      prices: { type: 'array', items: { type: ['number', 'null'] } }
    })
  )
  for (const value of [
    '"pages":9007199254740991',
    '"pages":-1',
    '"few":2147483647',
    '"price":0.5',
    '"price":9007199254740992',
    '"prices":[1.5,null,9007199254740992]'
  ]) {
    t.equal((await put(`{${value}}`)).text, `{${value}}`)
  }
  await put('{"price":9007199254740993,"prices":[12e18]}')
  t.same(received().body, { price: 9007199254740992, prices: [12e18] })
  for (const [value, message] of [
    ['"pages":9007199254740993', "'pages' must be from -9007199254740991 to 9007199254740991."],
    ['"pages":1.5', "'pages' must be an integer."],
    ['"few":2147483648', "'few' must be a valid int32."],
    ['"price":1e400', "'price' must be a number."],
    ['"price":0.25', "'price' must be a multiple of 0.5."],
    ['"price":2e30', "'price' must be at most 1000000000000000000000000000000."],
    ['"prices":["1"]', "'prices.0' must be a number or null."]
  ] as const) {
    t.match(await put(`{${value}}`), { status: 400, json: { message: `Body property ${message}` } }, value)
  }
})
