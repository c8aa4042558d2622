import fc from 'fast-check'
import t from 'tap'
import { changesOf } from '../../../scripts/compatibility/schema.js'
import type { Schema } from '../../../src/contract/document/schema.js'
import { Schemas } from '../../../src/contract/document/schemas.js'
import { checksOf } from '../../../src/contract/validation/validator.js'
import { read } from '../../contract/books.js'
import { to } from './library.js'

const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record(
      {
        type: fc.subarray(['integer', 'number', 'string', 'null'], { minLength: 1 }),
        minimum: fc.nat(3),
        exclusiveMaximum: fc.integer({ min: 2, max: 6 }),
        maxLength: fc.nat(3),
        multipleOf: fc.constantFrom(1, 2, 0.5)
      },
      { requiredKeys: ['type'] }
    ),
    fc.record({ enum: fc.uniqueArray(fc.constantFrom(1, 2, 2.5, 'a', 'ab', null), { minLength: 1 }) }),
    fc.record(
      { type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(2), uniqueItems: fc.boolean() },
      { requiredKeys: ['type'] }
    ),
    fc.record({
      type: fc.constant('object'),
      properties: fc.record({ a: tie('schema'), b: tie('schema') }, { requiredKeys: [] }),
      required: fc.subarray(['a', 'b']),
      additionalProperties: fc.constant(false)
    }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record(
      { allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), maximum: fc.nat(5) },
      { requiredKeys: ['allOf'] }
    )
  )
}))
const leaf = fc.constantFrom(-1, 0, 1, 2, 2.5, 3, 4, 5, 7, '', 'a', 'ab', 'abcd', null)
const value = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.record({ a: leaf, b: leaf }, { requiredKeys: [] }))
const bare = await read({})
const declared = (schema: Schema) => ({ document: bare, schema })

t.test('where no change is found, every value that fitted before fits still', async () => {
  const checkOf = checksOf(new Schemas(bare))
  let compatible = 0
  fc.assert(
    fc.property(schema, schema, fc.array(value, { minLength: 20, maxLength: 20 }), (was, now, values) => {
      if (changesOf('request', declared(was), declared(now)).length > 0) return true
      compatible++
      const [before, after] = [checkOf(was), checkOf(now)]
      return values.every((one) => !before(structuredClone(one)) || after(structuredClone(one)))
    }),
    { numRuns: 400 }
  )
  t.ok(compatible > 5, `${compatible} pairs were compatible`)
})

t.test('a schema is compatible with itself, also behind a name', async () => {
  fc.assert(
    fc.property(schema, (schema) => {
      const document = { ...bare, components: { schemas: { It: schema } } }
      const named = { document, schema: to('It') }
      return (['request', 'answer'] as const).every((direction) =>
        [
          [declared(schema), declared(schema)],
          [named, declared(schema)],
          [declared(schema), named]
        ].every(([was, now]) => changesOf(direction, was!, now!).length === 0)
      )
    }),
    { numRuns: 100 }
  )
})
