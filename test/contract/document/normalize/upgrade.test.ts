import t from 'tap'
import { answering, read } from '../../books.js'

t.test('the schemas of 3.0 come in the words of 3.1', async (t) => {
  const wanted: [title: string, given: object, schema: object][] = [
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      'nullable with an enum',
      { type: 'string', nullable: true, enum: ['a'] },
      { type: ['string', 'null'], enum: ['a', null] }
    ],
    [
      'nullable with an enum that has null',
      { type: 'string', nullable: true, enum: ['a', null] },
      { type: ['string', 'null'], enum: ['a', null] }
    ],
    ['nullable: false', { type: 'string', nullable: false }, { type: 'string' }],
    [
      'exclusive bounds',
      { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
      { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 9 }
    ],
    [
      'bounds that are not exclusive',
      { type: 'number', minimum: 1, exclusiveMinimum: false, maximum: 9, exclusiveMaximum: false },
      { type: 'number', minimum: 1, maximum: 9 }
    ],
    [
      'what stands beside a $ref',
      { $ref: '#/components/schemas/Isbn', description: 'ignored' },
      { $ref: '#/components/schemas/Isbn' }
    ],
    [
      'deep inside',
      { type: 'array', items: { allOf: [{ type: 'string', nullable: true }] } },
      { type: 'array', items: { allOf: [{ type: ['string', 'null'] }] } }
    ],
    [
      'a property that is called as a keyword',
      {
        type: 'object',
        properties: { nullable: { type: 'string', nullable: true }, example: { type: 'string', nullable: true } }
      },
      { type: 'object', properties: { nullable: { type: ['string', 'null'] }, example: { type: ['string', 'null'] } } }
    ],
    [
      'data',
      { type: 'object', default: { nullable: true, type: 'x' }, example: { nullable: true, type: 'x' } },
      { type: 'object', default: { nullable: true, type: 'x' }, example: { nullable: true, type: 'x' } }
    ]
  ]
  for (const [title, given, schema] of wanted) {
    const { components } = await read(
      answering({ $ref: '#/components/schemas/Given' }, { Given: given, Isbn: { type: 'string' } }),
      '3.0.3'
    )
    t.same(components?.schemas?.Given, schema, title)
  }
})

t.test('a response or schema of 3.0 that is called default is read too', async (t) => {
  const content = { 'application/json': { schema: { type: 'string', nullable: true } } }
  const { paths, components } = await read(
    {
      paths: {
        '/books': {
          get: {
            operationId: 'listBooks',
            responses: { 204: { description: 'None.' }, default: { description: 'Else.', content } }
          }
        }
      },
      components: { schemas: { default: { type: 'string', nullable: true } } }
    },
    '3.0.0'
  )
  t.same(paths?.['/books']?.get?.responses?.default?.content, {
    'application/json': { schema: { type: ['string', 'null'] } }
  })
  t.same(components?.schemas?.default, { type: ['string', 'null'] })
})

t.test('in 3.1 what stands beside a $ref counts, and nullable means nothing', async (t) => {
  const schema = { $ref: '#/components/schemas/Isbn', maxLength: 13 }
  const { components } = await read(answering({}, { Given: schema, Isbn: { type: 'string', nullable: true } }))
  t.same(components?.schemas, { Given: schema, Isbn: { type: 'string', nullable: true } })
})

t.test('nullable beside a composition is that or null', async (t) => {
  const parts = { allOf: [{ $ref: '#/components/schemas/Isbn' }] }
  const { components } = await read(
    answering(
      {},
      {
        Isbn: { type: 'string' },
        All: { nullable: true, ...parts, default: null },
        Typed: { type: 'string', nullable: true, ...parts },
        Any: { nullable: true, enum: ['a'] }
      }
    ),
    '3.0.3'
  )
  t.same(components?.schemas, {
    Isbn: { type: 'string' },
    All: { anyOf: [{ type: 'null' }, parts], default: null },
    Typed: { anyOf: [{ type: 'null' }, { type: 'string', ...parts }] },
    Any: { enum: ['a', null] }
  })
})
