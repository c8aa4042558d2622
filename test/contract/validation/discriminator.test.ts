import t from 'tap'
import { echo } from '../books.js'
import { kind, REFS, SCHEMAS } from './branches.js'

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
