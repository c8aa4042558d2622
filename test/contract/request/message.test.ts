import t from 'tap'
import { echo } from '../books.js'

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })

t.test(
  'a body with one fault is answered with one sentence that names the property and what was expected',
  async (t) => {
    const { put } = await echo(
      t,
      object(
        {
          title: { type: 'string', minLength: 1, maxLength: 10, pattern: '^[A-Z]' },
          code: { type: 'string', minLength: 3 },
          isbn: { type: 'string', pattern: '^\\d+$', 'x-pattern-message': 'must have digits alone' },
          short: { type: 'string', pattern: '^a', maxLength: 3, 'x-pattern-message': 'must begin with an a' },
          pages: { type: 'integer', minimum: 1, maximum: 10, multipleOf: 2 },
          weight: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 2.5 },
          lent: { type: 'boolean' },
          genre: { enum: ['novel', 'poem', 3] },
          kind: { const: 'book' },
          tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
          note: { type: ['string', 'null'] },
          printed: { type: 'string', format: 'date' },
          shelf: object(
            { row: { type: 'integer' }, 'a/b~c': { type: 'integer' } },
            { required: ['row'], additionalProperties: false }
          ),
          parts: {
            type: 'array',
            items: object({ title: { type: 'string' } }, { required: ['title'], additionalProperties: false })
          },
          strict: { allOf: [object({ a: { type: 'integer' } })], unevaluatedProperties: false },
          nothing: { type: 'null' },
          few: { type: 'object', minProperties: 1, maxProperties: 2 },
          different: { type: 'array', items: { type: 'integer' }, uniqueItems: true },
          names: { type: 'object', propertyNames: { pattern: '^[a-z]$' } },
          point: { const: { x: 1 } },
          day: { enum: Array.from({ length: 31 }, (_, index) => index + 1) },
          couple: { type: 'object', dependentRequired: { one: ['other'] } },
          not: { not: { type: 'string' } },
          never: false,
          when: { if: { type: 'string' }, then: { minLength: 3 }, else: { minimum: 3 } }
        },
        { required: ['title'], additionalProperties: false }
      )
    )
    const wanted: [body: string, message: string][] = [
      ['{}', "'title' is required."],
      ['{"title":1}', "'title' must be a string."],
      ['{"title":""}', "'title' must have at least 1 character."],
      ['{"title":"ABCDEFGHIJK"}', "'title' must have at most 10 characters."],
      ['{"title":"a"}', "'title' must match the pattern ^[A-Z]."],
      ['{"title":"A","isbn":"a"}', "'isbn' must have digits alone."],
      ['{"title":"A","short":"b"}', "'short' must begin with an a."],
      ['{"title":"A","Title":"A"}', "'Title' is not known."],
      ...[
        ['"code":"ab"', "'code' must have at least 3 characters."],
        ['"pages":"1"', "'pages' must be an integer."],
        ['"pages":0', "'pages' must be at least 1."],
        ['"pages":11', "'pages' must be at most 10."],
        ['"pages":3', "'pages' must be a multiple of 2."],
        ['"weight":"1"', "'weight' must be a number."],
        ['"weight":0', "'weight' must be more than 0."],
        ['"weight":2.5', "'weight' must be less than 2.5."],
        ['"lent":"true"', "'lent' must be true or false."],
        ['"lent":null', "'lent' must be true or false."],
        ['"genre":"film"', "'genre' must be one of: novel, poem, 3."],
        ['"kind":"film"', "'kind' must be book."],
        ['"tags":"a"', "'tags' must be an array."],
        ['"tags":{}', "'tags' must be an array."],
        ['"tags":[]', "'tags' must have at least 1 item."],
        ['"tags":["a","b","c"]', "'tags' must have at most 2 items."],
        ['"tags":["a",1]', "'tags.1' must be a string."],
        ['"note":1', "'note' must be a string or null."],
        ['"nothing":0', "'nothing' must be null."],
        ['"printed":"2030-02-30"', "'printed' must be a valid date."],
        ['"shelf":[]', "'shelf' must be an object."],
        ['"shelf":{}', "'shelf.row' is required."],
        ['"shelf":{"row":1,"b":1}', "'shelf.b' is not known."],
        ['"shelf":{"row":1,"a/b~c":"x"}', "'shelf.a/b~c' must be an integer."],
        ['"parts":[{"title":"A"},{}]', "'parts.1.title' is required."],
        ['"parts":[{"title":"A","x":1}]', "'parts.0.x' is not known."],
        ['"strict":{"a":1,"b":2}', "'strict.b' is not known."],
        ['"few":{}', "'few' must have at least 1 property."],
        ['"few":{"a":1,"b":2,"c":3}', "'few' must have at most 2 properties."],
        ['"different":[1,2,1]', "'different' must not have the same item twice."],
        ['"names":{"a":1,"AB":1}', "'names.AB' has a name that is not allowed."],
        ['"point":{"x":2}', '\'point\' must be {"x":1}.'],
        ['"couple":{"one":1}', "'couple.other' is required with 'one'."],
        ['"not":"x"', "'not' has a value that is not allowed."],
        ['"never":1', "'never' has a value that is not allowed."],
        ['"when":"x"', "'when' must have at least 3 characters."],
        ['"when":1', "'when' must be at least 3."],
        ['"day":32', `'day' must be one of: ${Array.from({ length: 20 }, (_, index) => index + 1).join(', ')}, ….`],
        ['"a\\u0000\\n\\u202e\\u2028b":1', "'a\ufffd\ufffd\ufffd\ufffdb' is not known."],
        [`"${'x'.repeat(99)}😀":1`, `'${'x'.repeat(99)}\ufffd…' is not known.`],
        [`"${'x'.repeat(300)}":1`, `'${'x'.repeat(100)}…' is not known.`]
      ].map(([property, message]): [string, string] => [`{"title":"A",${property}}`, message!])
    ]
    for (const [body, message] of wanted) {
      t.match(await put(body), { status: 400, json: { message: `Body property ${message}` } }, body)
    }
    for (const body of ['null', '[]', '"A"', '1', 'true']) {
      t.match(await put(body), { status: 400, json: { message: 'The body must be an object.' } }, body)
    }
    t.equal(
      (
        await put(
          '{"title":"A","pages":10,"weight":2.4,"genre":3,"tags":["a"],"note":null,"shelf":{"row":1},"nothing":null}'
        )
      ).status,
      200
    )
  }
)

t.test('several faults are named together, five at most and a count of the others', async (t) => {
  const { put } = await echo(
    t,
    object(
      {
        title: { type: 'string', minLength: 3, pattern: '^[A-Z]' },
        pages: { type: 'integer', minimum: 1 },
        genre: { type: 'string', enum: ['novel', 'poem'] },
        shelf: object(
          { row: { type: 'integer' }, place: { type: 'integer' } },
          { required: ['row', 'place'], additionalProperties: false }
        ),
        tags: { type: 'array', items: { type: 'string' } }
      },
      { required: ['title', 'pages'], additionalProperties: false }
    )
  )
  const wanted: [body: string, sentences: string[]][] = [
    ['{}', ["'title' is required.", "'pages' is required."]],
    ['{"title":5,"pages":"5"}', ["'title' must be a string.", "'pages' must be an integer."]],
    ['{"title":"a","pages":0}', ["'title' must have at least 3 characters.", "'pages' must be at least 1."]],
    [
      '{"pages":1,"genre":null,"Title":"A"}',
      ["'title' is required.", "'Title' is not known.", "'genre' must be a string."]
    ],
    [
      '{"title":"Abc","pages":1,"shelf":{"row":"1","x":2}}',
      ["'shelf.place' is required.", "'shelf.x' is not known.", "'shelf.row' must be an integer."]
    ],
    ['{"title":"Abc","pages":1,"tags":["a",1,2]}', ["'tags.1' must be a string.", "'tags.2' must be a string."]],
    [
      '{"title":"Abc","pages":1,"a":1,"b":1,"c":1,"d":1,"e":1}',
      ['a', 'b', 'c', 'd', 'e'].map((name) => `'${name}' is not known.`)
    ]
  ]
  for (const [body, sentences] of wanted) {
    t.match(
      await put(body),
      { status: 400, json: { message: sentences.map((sentence) => `Body property ${sentence}`).join(' ') } },
      body
    )
  }
  const unknown = (count: number) =>
    `{"title":"Abc","pages":1,${Array.from({ length: count }, (_, index) => `"p${index}":1`).join()}}`
  const five = [0, 1, 2, 3, 4].map((index) => `Body property 'p${index}' is not known.`).join(' ')
  t.equal((await put(unknown(6))).json.message, `${five} And 1 more.`)
  t.equal((await put(unknown(100))).json.message, `${five} And 95 more.`)
})

t.test('one sentence says why none of the alternatives fits', async (t) => {
  const book = object(
    { kind: { const: 'book' }, pages: { type: 'integer' } },
    { required: ['kind', 'pages'], additionalProperties: false }
  )
  const film = object(
    { kind: { const: 'film' }, length: { type: 'integer' } },
    { required: ['kind', 'length'], additionalProperties: false }
  )
  const { put } = await echo(
    t,
    object({
      either: { anyOf: [{ type: 'integer' }, { type: 'string', minLength: 3 }] },
      maybe: { oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/Code' }] },
      item: { oneOf: [{ $ref: '#/components/schemas/Book' }, { $ref: '#/components/schemas/Film' }] },
      both: { oneOf: [{ type: 'integer' }, { minimum: 3 }] },
      title: { type: 'string' }
    }),
    { Book: book, Film: film, Code: { type: 'integer', format: 'int64' } }
  )
  const wanted: [body: string, message: string][] = [
    ['"either":true', "Body property 'either' must be an integer or a string."],
    ['"either":"ab"', "Body property 'either' must have at least 3 characters."],
    ['"either":[]', "Body property 'either' must be an integer or a string."],
    ['"maybe":"x"', "Body property 'maybe' must be null or an integer."],
    ['"maybe":9223372036854775808', "Body property 'maybe' must be from -9223372036854775808 to 9223372036854775807."],
    ['"both":5', "Body property 'both' must fit only one of its alternatives."],
    ['"item":1', "Body property 'item' must be an object."],
    [
      '"item":{"kind":"book"}',
      "Body property 'item.pages' is required, or body property 'item.length' is required, or body property 'item.kind' must be film."
    ],
    [
      '"item":{"kind":"book"},"title":1,"either":null',
      "Body property 'either' must be an integer or a string. Body property 'item.pages' is required, or body property 'item.length' is required, or body property 'item.kind' must be film. Body property 'title' must be a string."
    ]
  ]
  for (const [properties, message] of wanted) {
    t.match(await put(`{${properties}}`), { status: 400, json: { message } }, properties)
  }
  t.equal((await put('{"either":"abc","maybe":null,"item":{"kind":"film","length":3}}')).status, 200)
})

t.test('many faults cost little, and their message is short', async (t) => {
  const { put } = await echo(t, {
    type: 'object',
    properties: {
      list: { type: 'array', items: { type: 'string' } },
      slow: { type: 'string', maxLength: 10, pattern: '^(a+)+$' }
    },
    additionalProperties: { type: 'string' }
  })
  const bodies: [title: string, body: string, message: string][] = [
    [
      '1,000 wrong properties',
      `{${Array.from({ length: 1_000 }, (_, index) => `"p${index}":1`).join()}}`,
      "Body property 'p0' must be a string."
    ],
    ['8,000 wrong items', `{"list":[${'1,'.repeat(7_999)}1]}`, "Body property 'list.0' must be a string."],
    [
      'a text that is too long for a slow pattern',
      `{"slow":"${'a'.repeat(40)}!"}`,
      "Body property 'slow' must have at most 10 characters."
    ]
  ]
  for (const [title, body, message] of bodies) {
    await put(body)
    const start = performance.now()
    t.match(await put(body), { status: 400, json: { message } }, title)
    t.ok(performance.now() - start < 2_000, `${title}: ${(performance.now() - start).toFixed(1)} ms`)
  }
})

t.test('a message never repeats the value that was sent', async (t) => {
  const { put } = await echo(
    t,
    object({ title: { type: 'string', maxLength: 3, pattern: '^a' }, pages: { type: 'integer', maximum: 3 } })
  )
  for (const body of ['{"title":"secret"}', '{"pages":"secret"}', '{"title":["secret"]}', '"secret"', 'secret']) {
    t.notMatch((await put(body)).text, /secret/, body)
  }
})
