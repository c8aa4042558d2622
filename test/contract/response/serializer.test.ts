import t from 'tap'
import type { Schema } from '../../../src/contract/document/schema.js'
import { Schemas } from '../../../src/contract/document/schemas.js'
import { AnswerFault } from '../../../src/contract/response/answer-fault.js'
import { serializerOf } from '../../../src/contract/response/serializer.js'
import { read, serve } from '../books.js'

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
    ['of any type where an alternative names none', { oneOf: [{ minLength: 3 }, { type: 'integer' }] }, 'abc', '"abc"'],
    ['of any type where an alternative is true', { anyOf: [true, { type: 'string' }] }, 1, '1'],
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

t.test('a value that the enumeration of its schema does not have is a fault that names its place', async (t) => {
  const Status = { type: 'string', enum: ['available', 'sold'] }
  const document = await read({ components: { schemas: { Status } } })
  const serialize = serializerOf(new Schemas(document))
  const status = { $ref: '#/components/schemas/Status' }
  const wanted: [schema: Schema, good: unknown[], bad: [value: unknown, place: string][]][] = [
    [Status, ['sold'], [['gone', 'the body']]],
    [status, ['sold'], [['gone', 'the body']]],
    [{ properties: { status } }, [{ status: 'sold' }, {}], [[{ status: 'gone' }, "'status'"]]],
    [{ properties: { status: { allOf: [status], description: 'It.' } } }, [], [[{ status: 'gone' }, "'status'"]]],
    [{ allOf: [{ properties: { status } }, { required: ['status'] }] }, [], [[{ status: 'gone' }, "'status'"]]],
    [{ items: { properties: { a: { items: status } } } }, [[{ a: ['sold'] }]], [[[{}, { a: ['sold', 'x'] }], "'1.a.1'"]]],
    [{ additionalProperties: status }, [{ x: 'sold' }], [[{ x: 'gone' }, "'x'"]]],
    [{ const: 'a' }, ['a'], [['b', 'the body']]],
    [{ enum: [1, 'a', null, true] }, [1, 1n, 'a', null, true], [[2, 'the body'], [2n, 'the body'], [false, 'the body']]],
    [{ anyOf: [status, { const: 'lost' }] }, ['sold', 'lost'], [['gone', 'the body']]],
    [{ anyOf: [status, { type: 'string' }] }, ['sold', 'anything'], []],
    [{ oneOf: [status, { type: 'null' }] }, ['sold', null], [['gone', 'the body']]],
    [{ anyOf: [status, { type: 'integer' }] }, ['sold', 1, 2n], [['gone', 'the body']]],
    [{ oneOf: [{ type: 'number' }, { type: 'object' }, status] }, ['sold', 1.5, 2, {}], [['gone', 'the body']]],
    [{ anyOf: [{ type: 'integer', enum: [1] }, { type: 'string' }] }, [1, 'x'], [[2, 'the body'], [2n, 'the body']]],
    [{ anyOf: [{ type: ['string', 'null'], const: 'a' }, { type: 'boolean' }] }, ['a', true], [['b', 'the body']]],
    [{ anyOf: [{ allOf: [status] }, { type: 'array' }] }, ['sold', ['x']], [['gone', 'the body']]],
    [{ anyOf: [status, {}] }, ['sold', 'anything'], []]
  ]
  for (const [schema, good, bad] of wanted) {
    for (const value of good) t.ok(serialize(schema, value), JSON.stringify(schema))
    for (const [value, place] of bad) {
      t.throws(
        () => serialize(schema, value),
        { name: 'AnswerFault', message: `The answer does not fit the document: ${place} must be one of: ` },
        JSON.stringify(schema)
      )
    }
  }
})

t.test('every fault of an answer names its place', async (t) => {
  const serialize = serializerOf(new Schemas(await read({})))
  const schema = { items: { properties: { name: { type: 'string' } }, required: ['name'] } }
  for (const [value, message] of [
    [[{ name: 'a' }, {}], "'1.name' is required."],
    [[{ name: 1 }], "'0.name' must be of the type string."],
    [['a'], "'0' must be of the type object."],
    [1, 'the body must be of the type array.']
  ] as const) {
    t.throws(() => serialize(schema, value), { message: `The answer does not fit the document: ${message}` })
    t.throws(() => serialize(schema, value), AnswerFault)
  }
})
