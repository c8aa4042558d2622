import t from 'tap'
import { echo } from './books.js'

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })

t.test('a body that does not fit is answered with one sentence that names the property and what was expected', async (t) => {
  const { put } = await echo(t, object({
    title: { type: 'string', minLength: 1, maxLength: 10, pattern: '^[A-Z]' },
    code: { type: 'string', minLength: 3 },
    pages: { type: 'integer', minimum: 1, maximum: 10, multipleOf: 2 },
    weight: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 2.5 },
    lent: { type: 'boolean' },
    genre: { enum: ['novel', 'poem', 3] },
    kind: { const: 'book' },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
    note: { type: ['string', 'null'] },
    printed: { type: 'string', format: 'date' },
    shelf: object({ row: { type: 'integer' }, 'a/b~c': { type: 'integer' } }, { required: ['row'], additionalProperties: false }),
    parts: { type: 'array', items: object({ title: { type: 'string' } }, { required: ['title'], additionalProperties: false }) },
    strict: { allOf: [object({ a: { type: 'integer' } })], unevaluatedProperties: false },
    nothing: { type: 'null' }
  }, { required: ['title'], additionalProperties: false }))
  const wanted: [body: string, message: string][] = [
    ['{}', "'title' is required."],
    ['{"title":1}', "'title' must be a string."],
    ['{"title":""}', "'title' must have at least 1 character."],
    ['{"title":"ABCDEFGHIJK"}', "'title' must have at most 10 characters."],
    ['{"title":"a"}', "'title' must match the pattern ^[A-Z]."],
    ['{"title":"A","Title":"A"}', "'Title' is not known."],
    ...([
      ['"code":"ab"', "'code' must have at least 3 characters."],
      ['"pages":"1"', "'pages' must be an integer."], ['"pages":0', "'pages' must be at least 1."], ['"pages":11', "'pages' must be at most 10."], ['"pages":3', "'pages' must be a multiple of 2."],
      ['"weight":"1"', "'weight' must be a number."], ['"weight":0', "'weight' must be more than 0."], ['"weight":2.5', "'weight' must be less than 2.5."],
      ['"lent":"true"', "'lent' must be true or false."], ['"lent":null', "'lent' must be true or false."],
      ['"genre":"film"', "'genre' must be one of: novel, poem, 3."], ['"kind":"film"', "'kind' must be book."],
      ['"tags":"a"', "'tags' must be an array."], ['"tags":{}', "'tags' must be an array."], ['"tags":[]', "'tags' must have at least 1 item."], ['"tags":["a","b","c"]', "'tags' must have at most 2 items."], ['"tags":["a",1]', "'tags.1' must be a string."],
      ['"note":1', "'note' must be a string or null."], ['"nothing":0', "'nothing' must be null."],
      ['"printed":"2030-02-30"', "'printed' must be a valid date."],
      ['"shelf":[]', "'shelf' must be an object."], ['"shelf":{}', "'shelf.row' is required."], ['"shelf":{"row":1,"b":1}', "'shelf.b' is not known."], ['"shelf":{"row":1,"a/b~c":"x"}', "'shelf.a/b~c' must be an integer."],
      ['"parts":[{"title":"A"},{}]', "'parts.1.title' is required."], ['"parts":[{"title":"A","x":1}]', "'parts.0.x' is not known."],
      ['"strict":{"a":1,"b":2}', "'strict.b' is not known."],
      [`"${'x'.repeat(300)}":1`, `'${'x'.repeat(100)}…' is not known.`]
    ]).map(([property, message]): [string, string] => [`{"title":"A",${property}}`, message!])
  ]
  for (const [body, message] of wanted) t.match(await put(body), { status: 400, json: { message: `Body property ${message}` } }, body)
  for (const body of ['null', '[]', '"A"', '1', 'true']) t.match(await put(body), { status: 400, json: { message: 'The body must be an object.' } }, body)
  t.equal((await put('{"title":"A","pages":10,"weight":2.4,"genre":3,"tags":["a"],"note":null,"shelf":{"row":1},"nothing":null}')).status, 200)
})

t.test('a message never repeats the value that was sent', async (t) => {
  const { put } = await echo(t, object({ title: { type: 'string', maxLength: 3, pattern: '^a' }, pages: { type: 'integer', maximum: 3 } }))
  for (const body of ['{"title":"secret"}', '{"pages":"secret"}', '{"title":["secret"]}', '"secret"', 'secret']) t.notMatch((await put(body)).text, /secret/, body)
})
