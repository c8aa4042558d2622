import t from 'tap'
import { echo, taking } from '../books.js'

const A = { properties: { a: { const: 1 } }, required: ['a'] }
const C = { properties: { c: true } }
const NONE = { unevaluatedProperties: false }

/** A schema, bodies that it allows, and bodies that it does not. */
const CASES: [schema: object, valid: unknown[], invalid: unknown[]][] = [
  [{ if: A, ...NONE }, [{ a: 1 }, {}], [{ a: 2 }, { a: 1, b: 1 }]],
  [{ if: A, else: C, ...NONE }, [{ a: 1 }, { c: 1 }], [{ a: 2, c: 1 }, { a: 1, c: 1 }]],
  [{ if: { allOf: [A] }, then: true, else: C, ...NONE }, [{ a: 1 }, { c: 1 }], [{ a: 2 }, { a: 2, c: 1 }]],
  [{ allOf: [{ if: A, then: C }], ...NONE }, [{ a: 1, c: 1 }], [{ a: 2, c: 1 }, { a: 2 }]],
  [{ anyOf: [A, { required: ['b'] }], ...NONE }, [{ a: 1 }], [{ b: 1 }, { a: 1, b: 1 }]],
  [{ dependentSchemas: { a: { properties: { a: true, b: true } } }, ...NONE }, [{ a: 1, b: 1 }], [{ b: 1 }]],
  [{ not: { not: A }, ...NONE }, [], [{ a: 1 }]],
  [{ patternProperties: { '^x': true }, unevaluatedProperties: { type: 'integer' } }, [{ x: 'a', y: 1 }], [{ y: 'a' }]],
  [{ $id: 'x', $ref: '#/$defs/a', $defs: { a: { allOf: [{ properties: { a: true } }] } }, ...NONE }, [{ a: 1 }], [{ b: 1 }]],
  [{ contains: { const: 1 }, unevaluatedItems: false }, [[1], [1, 1]], [[1, 2], [2]]],
  [{ contains: { const: 1 }, minContains: 0, unevaluatedItems: false }, [[], [1]], [[2]]],
  [{ anyOf: [{ contains: { const: 1 } }, true], unevaluatedItems: { type: 'string' } }, [[1, 'a'], ['a']], [[1, 2], [2]]],
  [{ anyOf: [{ items: { type: 'string' } }, true], unevaluatedItems: { type: 'boolean' } }, [['a'], [true]], [['a', 1]]],
  [{ prefixItems: [true], unevaluatedItems: false }, [[1]], [[1, 2]]]
]

t.test('what no subschema evaluates is judged as JSON Schema 2020-12 says', async (t) => {
  for (const [schema, valid, invalid] of CASES) {
    const { call } = await taking(t, { 'application/json': { schema } })
    const statusOf = async (body: unknown) => (await call('PUT', '/books', JSON.stringify(body))).status
    for (const body of valid) t.equal(await statusOf(body), 204, JSON.stringify([schema, body]))
    for (const body of invalid) t.equal(await statusOf(body), 400, JSON.stringify([schema, body]))
  }
})

t.test('a message names the unevaluated value', async (t) => {
  const { put } = await echo(t, {
    properties: {
      open: { unevaluatedProperties: { type: 'integer' } },
      closed: { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      list: { contains: { const: 1 }, unevaluatedItems: false }
    }
  })
  for (const [body, message] of [
    ['{"open":{"x/y":"1"}}', "Body property 'open.x/y' must be an integer."],
    ['{"closed":{"b":1}}', "Body property 'closed.b' is not known."],
    ['{"list":[1,2]}', "Body property 'list.1' has a value that is not allowed."]
  ] as const) {
    t.equal((await put(body)).json.message, message)
  }
})

t.test('no default of an alternative that does not hold is filled in', async (t) => {
  const branch = { properties: { a: { default: 1 } }, required: ['b'] }
  const { put } = await echo(t, { anyOf: [branch, true], unevaluatedProperties: true })
  t.equal((await put('{}')).text, '{}')
})

t.test('the work does not double with each level of a value', async (t) => {
  const Tree = { anyOf: [{ properties: { child: { $ref: '#/components/schemas/Tree' } } }], unevaluatedProperties: false }
  const { put } = await echo(t, { $ref: '#/components/schemas/Tree' }, { Tree })
  t.equal((await put('{"child":'.repeat(90) + '{}' + '}'.repeat(90))).status, 200)
  t.equal((await put('{"child":'.repeat(90) + '{"x":1}' + '}'.repeat(90))).status, 400)
})
