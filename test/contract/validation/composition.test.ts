import t from 'tap'
import { echo, read, serve } from '../books.js'

const kind = (name: string, more: object = {}) => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string' }, [name]: { type: 'integer' } },
  ...more
})
const REFS = [{ $ref: '#/components/schemas/Novel' }, { $ref: '#/components/schemas/Poem' }]
const SCHEMAS = { Novel: kind('pages'), Poem: kind('lines') }

t.test('a discriminator decides between the branches of a oneOf or anyOf', async (t) => {
  const wanted: [
    title: string,
    schema: object,
    schemas: object,
    taken: string[],
    refused: [body: string, message: string][]
  ][] = [
    [
      'by the names of the schemas',
      { oneOf: REFS, discriminator: { propertyName: 'kind' } },
      SCHEMAS,
      ['{"kind":"Novel","pages":1}', '{"kind":"Poem","lines":2}'],
      [
        ['{"kind":"Novel","pages":"x"}', "Body property 'pages' must be an integer."],
        ['{"kind":"Film"}', "Body property 'kind' must be one of: Novel, Poem."],
        ['{}', "Body property 'kind' is required."],
        ['[]', 'The body must be an object.']
      ]
    ],
    [
      'by a mapping',
      { anyOf: REFS, discriminator: { propertyName: 'kind', mapping: { n: '#/components/schemas/Novel', p: 'Poem' } } },
      SCHEMAS,
      ['{"kind":"n","pages":1}', '{"kind":"p"}'],
      [
        ['{"kind":"p","lines":"x"}', "Body property 'lines' must be an integer."],
        ['{"kind":"Novel"}', "Body property 'kind' must be one of: n, p."]
      ]
    ],
    [
      'by what the branches allow',
      { oneOf: REFS, discriminator: { propertyName: 'kind' } },
      {
        Novel: kind('pages', { properties: { kind: { const: 'novel' }, pages: { type: 'integer' } } }),
        Poem: kind('lines', { properties: { kind: { enum: ['poem', 'verse'] }, lines: { type: 'integer' } } })
      },
      ['{"kind":"novel","pages":1}', '{"kind":"verse","lines":1}'],
      [['{"kind":"verse","lines":"x"}', "Body property 'lines' must be an integer."]]
    ],
    [
      'or null',
      { oneOf: [{ type: 'null' }, ...REFS], discriminator: { propertyName: 'kind' } },
      SCHEMAS,
      ['null', '{"kind":"Poem"}'],
      []
    ],
    [
      'inside of an allOf',
      {
        allOf: [{ type: 'object', required: ['title'], properties: { title: { type: 'string' } } }],
        oneOf: REFS,
        discriminator: { propertyName: 'kind' }
      },
      SCHEMAS,
      ['{"title":"A","kind":"Novel"}'],
      [
        ['{"kind":"Novel"}', "Body property 'title' is required."],
        ['{"title":"A","kind":"Film"}', "Body property 'kind' must be one of: Novel, Poem."]
      ]
    ]
  ]
  for (const [title, schema, schemas, taken, refused] of wanted) {
    const { put, received } = await echo(t, schema, schemas)
    for (const body of taken) {
      t.equal((await put(body)).status, 200, `${title}: ${body}`)
      t.same(received().body, JSON.parse(body), `${title}: ${body}`)
    }
    for (const [body, message] of refused) {
      t.match(await put(body), { status: 400, json: { message } }, `${title}: ${body}`)
    }
  }
})

t.test('an answer may be of a schema that extends the one with the discriminator', async (t) => {
  const { put } = await echo(
    t,
    { $ref: '#/components/schemas/Book' },
    {
      Book: {
        type: 'object',
        required: ['kind'],
        properties: { kind: { type: 'string' } },
        discriminator: { propertyName: 'kind' }
      },
      Novel: {
        allOf: [{ $ref: '#/components/schemas/Book' }, { type: 'object', properties: { pages: { type: 'integer' } } }]
      },
      Thriller: {
        allOf: [{ $ref: '#/components/schemas/Novel' }, { type: 'object', properties: { deaths: { type: 'integer' } } }]
      }
    }
  )
  t.equal(
    (await put('{"kind":"Thriller","pages":1,"deaths":2,"secret":3}')).text,
    '{"kind":"Thriller","pages":1,"deaths":2}'
  )
})

t.test('what is only read is not required of a request, what is only written not shown in an answer', async (t) => {
  const schema = {
    type: 'object',
    required: ['id', 'title', 'key', 'shelf'],
    properties: {
      id: { type: 'integer', readOnly: true },
      title: { type: 'string' },
      key: { type: 'string', writeOnly: true },
      shelf: { $ref: '#/components/schemas/Shelf' }
    }
  }
  const content = { 'application/json': { schema } }
  const document = await read({
    paths: {
      '/books': {
        put: { operationId: 'putBook', requestBody: { content }, responses: { 200: { description: 'It.', content } } }
      }
    },
    components: { schemas: { Shelf: { type: 'string', readOnly: true } } }
  })
  const { call } = await serve(t, document, { putBook: ({ body }) => ({ id: 1, shelf: 'A', ...body }) })
  t.equal((await call('PUT', '/books', '{"title":"A","key":"k"}')).text, '{"id":1,"title":"A","shelf":"A"}')
  t.match(await call('PUT', '/books', '{"title":"A"}'), {
    status: 400,
    json: { message: "Body property 'key' is required." }
  })
})

t.test('an answer has what its schemas declare, in any of their branches, and what they leave open', async (t) => {
  const wanted: [title: string, schema: object, answer: unknown, text: string][] = [
    ['properties', { type: 'object', properties: { a: {}, b: {} } }, { c: 1, b: 2, a: undefined }, '{"b":2}'],
    [
      'of an allOf',
      { allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
      { a: 1, b: 2, c: 3 },
      '{"a":1,"b":2}'
    ],
    [
      'of a oneOf',
      {
        oneOf: [
          { properties: { a: { properties: { x: {} } } } },
          { properties: { a: { properties: { y: {} } }, b: {} } }
        ]
      },
      { a: { x: 1, y: 2, z: 3 }, b: 2, c: 3 },
      '{"a":{"x":1,"y":2},"b":2}'
    ],
    [
      'others that are allowed',
      { properties: { a: {} }, additionalProperties: { properties: { x: {} } } },
      { b: { x: 1, y: 2 }, a: 1 },
      '{"a":1,"b":{"x":1}}'
    ],
    [
      'of a pattern',
      { properties: { a: {} }, patternProperties: { '^x': { properties: { b: {} } } } },
      { xb: { b: 1, c: 2 }, a: 1 },
      '{"a":1,"xb":{"b":1}}'
    ],
    [
      'of a pattern and no others',
      { patternProperties: { '^x': {} }, additionalProperties: false },
      { xb: 1, a: 1 },
      '{"xb":1}'
    ],
    [
      'of a condition',
      {
        properties: { a: {} },
        if: { required: ['b'] },
        then: { properties: { b: {} } },
        else: { properties: { c: {} } }
      },
      { a: 1, b: 2, c: 3, d: 4 },
      '{"a":1,"b":2,"c":3}'
    ],
    [
      'that depend on others',
      { properties: { a: {} }, dependentSchemas: { a: { properties: { b: {} } } } },
      { a: 1, b: 2, c: 3 },
      '{"a":1,"b":2}'
    ],
    [
      'others that no branch names',
      { properties: { a: {} }, unevaluatedProperties: { properties: { x: {} } } },
      { b: { x: 1, y: 2 }, a: 1 },
      '{"a":1,"b":{"x":1}}'
    ],
    [
      'what is required and said no more of',
      { properties: { a: {} }, required: ['b'] },
      { a: 1, b: 2, c: 3 },
      '{"a":1,"b":2}'
    ],
    ['of an object without any', { type: 'object' }, { a: { b: [1, 'x', null] } }, '{"a":{"b":[1,"x",null]}}'],
    ['none', { type: 'object', additionalProperties: false }, { a: 1 }, '{}'],
    ['items', { type: 'array', items: { properties: { a: {} } } }, [{ a: 1, b: 2 }, {}], '[{"a":1},{}]'],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ properties: { a: {} } }], items: { properties: { b: {} } } },
      [
        { a: 1, b: 2 },
        { a: 1, b: 2 }
      ],
      '[{"a":1},{"b":2}]'
    ],
    [
      'anything',
      {},
      { a: 9007199254740993n, d: new Date(0), u: undefined, l: [undefined], f: 1.5, n: null, s: 'é"\n' },
      '{"a":9007199254740993,"d":"1970-01-01T00:00:00.000Z","l":[null],"f":1.5,"n":null,"s":"é\\"\\n"}'
    ],
    ['names of any kind', { properties: { __proto__x: {}, 'a"b': {}, toString: {} } }, { 'a"b': 1 }, '{"a\\"b":1}'],
    ['a text', { type: 'string' }, 'a', '"a"'],
    ['null', { type: ['object', 'null'], properties: {} }, null, 'null']
  ]
  for (const [title, schema, answer, text] of wanted) {
    const document = await read({
      paths: {
        '/books': {
          get: {
            operationId: 'getBook',
            responses: { 200: { description: 'It.', content: { 'application/json': { schema } } } }
          }
        }
      }
    })
    const { call } = await serve(t, document, { getBook: () => answer })
    t.equal((await call('GET', '/books')).text, text, title)
  }
})

t.test('names of properties and of choices may be those of keywords', async (t) => {
  const { put } = await echo(t, { type: 'object', dependentRequired: { id: ['isbn'], nullable: ['isbn'] } })
  for (const name of ['id', 'nullable']) {
    t.match(
      await put(`{"${name}":1}`),
      { status: 400, json: { message: `Body property 'isbn' is required with '${name}'.` } },
      name
    )
  }
  const byName = await echo(
    t,
    { oneOf: REFS, discriminator: { propertyName: 'kind', mapping: { id: 'Novel', default: 'Poem' } } },
    SCHEMAS
  )
  t.equal((await byName.put('{"kind":"id","pages":1}')).status, 200)
  t.match(await byName.put('{"kind":"default","lines":"x"}'), {
    status: 400,
    json: { message: "Body property 'lines' must be an integer." }
  })
})

t.test('an enum without values refuses every value', async (t) => {
  const { put } = await echo(t, { type: 'object', properties: { a: { type: 'string', enum: [] } } })
  t.equal((await put('{}')).status, 200)
  t.match(await put('{"a":"x"}'), {
    status: 400,
    json: { message: "Body property 'a' has a value that is not allowed." }
  })
})

t.test('an answer without a required property is a fault', async (t) => {
  for (const schema of [
    { type: 'object', required: ['a'], properties: { a: {} } },
    { allOf: [{ required: ['a'], properties: { a: {} } }] }
  ]) {
    const document = await read({
      paths: {
        '/books': {
          get: {
            operationId: 'getBook',
            responses: { 200: { description: 'It.', content: { 'application/json': { schema } } } }
          }
        }
      }
    })
    const { call } = await serve(t, document, { getBook: () => ({}) })
    t.equal((await call('GET', '/books')).status, 500)
  }
})

t.test('what other tools write into schemas is read: patterns, formats, keywords of other drafts', async (t) => {
  const { put } = await echo(t, {
    type: 'object',
    properties: {
      a: { pattern: '^[\\w\\-]+\\@$' },
      b: { pattern: '\\.(?i)(pdf|png)$' },
      c: { format: 'isbn' },
      d: { type: 'string', nullable: true },
      e: { id: 'x', type: 'string' },
      f: { $schema: 'https://json-schema.org/draft/2020-12/schema', minLength: 1 }
    }
  })
  for (const [body, status] of [
    ['{"a":"a-b@"}', 200],
    ['{"a":"a b"}', 400],
    ['{"b":"x.PDF"}', 200],
    ['{"b":"x.txt"}', 400],
    ['{"c":"any"}', 200],
    ['{"d":null}', 400],
    ['{"e":"x"}', 200],
    ['{"f":""}', 400]
  ] as const) {
    t.equal((await put(body)).status, status, body)
  }
})

t.test('a schema that refers to itself through its branches can be a parameter', async (t) => {
  const document = await read({
    paths: {
      '/books': {
        get: {
          operationId: 'listBooks',
          parameters: [
            {
              name: 'filter',
              in: 'query',
              style: 'deepObject',
              explode: true,
              schema: { $ref: '#/components/schemas/Filter' }
            }
          ],
          responses: { 204: { description: 'Done.' } }
        }
      }
    },
    components: {
      schemas: {
        Filter: {
          anyOf: [
            {
              type: 'object',
              properties: { not: { $ref: '#/components/schemas/Filter' }, min: { type: 'integer' } },
              additionalProperties: false
            },
            { type: 'boolean' }
          ]
        }
      }
    }
  })
  const { call, received } = await serve(t, document, { listBooks: () => undefined })
  t.equal((await call('GET', '/books?filter[not][not][min]=1')).status, 204)
  t.same(received().query, { filter: { not: { not: { min: 1 } } } })
})
