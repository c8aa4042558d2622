import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { parseJson } from '../../../src/contract/request/json.js'
import { RequestError } from '../../../src/contract/request/request-error.js'
import { echo } from '../books.js'

const parse = (text: string | Uint8Array) => parseJson(typeof text === 'string' ? Buffer.from(text) : text)

t.test('JSON is a value', async (t) => {
  for (const text of [
    'null',
    'true',
    '"a"',
    '""',
    '[]',
    '{}',
    '[1,-2.5,"x",null,{"a":[false]}]',
    '{"":0," ":1,"a.b":2}',
    '{"constructor":"x","prototype":1,"toString":2}',
    '"\\u0000\\n\\"\\\\\\/"',
    ' \t\r\n1 '
  ]) {
    t.same(parse(text), JSON.parse(text), text)
  }
  t.equal(parse('"😀 \\ud83d\\ude00 é"'), '😀 😀 é')
})

t.test('a text means the same with a space behind it, whatever is in it', async (t) => {
  const outcome = (text: string): unknown => {
    try {
      return parse(text)
    } catch (error) {
      return (error as RequestError).message
    }
  }
  const large = fc.constantFrom(2 ** 53, 2 ** 60, -(2 ** 63), 1e21, 1e300, -0)
  const number = fc.oneof(fc.double(), fc.maxSafeInteger(), large)
  const key = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'constructor', '\ud800', '1', 'a'))
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      number,
      key,
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.uniqueArray(fc.tuple(key, tie('value')), { selector: ([name]) => name, maxLength: 4 }).map(Object.fromEntries)
    )
  }))
  fc.assert(
    fc.property(value, (value) => {
      const text = JSON.stringify(value)
      return isDeepStrictEqual(outcome(text), outcome(`${text} `))
    }),
    { numRuns: 2_000 }
  )
  for (const text of ['[9007199254740992]', '[1e+21]', '{"__proto__":1}', '{"a":1,"a":2}', '[-0]', '["\\ud800"]']) {
    t.same(outcome(text), outcome(`${text} `), text)
  }
})

t.test('a number is exact however it is spelled: an integer that a double would round is a bigint', async (t) => {
  const wanted: [text: string, value: number | bigint][] = [
    ['0', 0],
    ['1.0', 1],
    ['1e2', 100],
    ['1E+2', 100],
    ['100e-2', 1],
    ['0.5e1', 5],
    ['10.50e1', 105],
    ['-1.0', -1],
    ['0.0', 0],
    ['0e999999999', 0],
    ['0.0e-999999999', 0],
    ['1.5', 1.5],
    ['0.1', 0.1],
    ['1e-7', 1e-7],
    ['1.5e300', 15n * 10n ** 299n],
    ['-2.5e-3', -0.0025],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['9007199254740993.0', 9007199254740993n],
    ['9007199254740993.000e0', 9007199254740993n],
    ['9.007199254740993e15', 9007199254740993n],
    ['90071992547409930e-1', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['12e18', 12000000000000000000n],
    ['12E+18', 12000000000000000000n],
    ['9223372036854775807', 9223372036854775807n],
    [`${'1'.repeat(200)}`, BigInt('1'.repeat(200))],
    ['1e400', Infinity],
    ['-1e400', -Infinity],
    [`1${'0'.repeat(400)}`, Infinity]
  ]
  for (const [text, value] of wanted) t.equal(parse(text), value, text)
  t.equal(Number(parse('-0')), -0)
})

t.test('a number whose fraction would get lost is refused', async (t) => {
  for (const text of [
    '1.00000000000000000001',
    '9007199254740991.4',
    '9007199254740993.5',
    '1e-400',
    '-1e-400',
    `0.${'0'.repeat(400)}1`,
    '123456789012345678901.5'
  ]) {
    t.throws(
      () => parse(`{"a":[1,${text}]}`),
      new RequestError(400, "Body property 'a.1' has more digits than can be kept."),
      text
    )
    t.throws(() => parse(text), new RequestError(400, 'The body has more digits than can be kept.'), text)
  }
})

t.test('what is not JSON is refused with the place of the fault', async (t) => {
  const refused: [title: string, text: string, character: number][] = [
    ['nothing but space', ' ', 2],
    ['a trailing comma in an array', '[1,]', 4],
    ['a trailing comma in an object', '{"a":1,}', 8],
    ['a missing comma', '[1 2]', 4],
    ['a missing colon', '{"a" 1}', 6],
    ['a missing value', '{"a":}', 6],
    ['single quotes', "{'a':1}", 2],
    ['a bare key', '{a:1}', 2],
    ['a number as a key', '{1:1}', 2],
    ['a comment', '1 // one', 3],
    ['two values', '1 2', 3],
    ['two objects', '{}{}', 3],
    ['NaN', 'NaN', 1],
    ['Infinity', '-Infinity', 2],
    ['a leading zero', '01', 2],
    ['a plus', '+1', 1],
    ['a bare point', '1.', 3],
    ['a point in front', '.5', 1],
    ['an exponent without digits', '1e', 3],
    ['two minus signs', '--1', 2],
    ['hexadecimal', '0x1', 2],
    ['digits of another script', '\u0663', 1],
    ['digits with _', '1_0', 2],
    ['undefined', 'undefined', 1],
    ['True', 'True', 1],
    ['half a word', 'tru', 1],
    ['an open object', '{"a":1', 7],
    ['an open array', '[1', 3],
    ['an open string', '"a', 3],
    ['a wrong bracket', '[1}', 3],
    ['a raw tab in a string', '"\t"', 2],
    ['a raw NUL in a string', '"\0"', 2],
    ['NUL between values', '[1,\0 2]', 4],
    ['a raw line feed in a string', '"a\nb"', 3],
    ['a bad escape', '"\\x41"', 2],
    ['an escape of three digits', '"\\u12"', 2],
    ['an escape at the end', '"\\', 2],
    ['a no-break space', '\u00a0{}', 1],
    ['XML', '<a/>', 1],
    ['a form', 'a=1&b=2', 1]
  ]
  for (const [title, text, character] of refused) {
    t.throws(
      () => parse(text),
      new RequestError(400, `The body is not valid JSON from character ${character} on.`),
      title
    )
  }
  for (const text of ['['.repeat(16_384), '{"a":'.repeat(3_276)]) {
    t.throws(() => parse(text), { statusCode: 400, message: /^The body is not valid JSON/ }, text.slice(0, 10))
  }
})

t.test('what could not be kept as it was sent is refused by name', async (t) => {
  const half = 'has half a surrogate pair'
  const refused: [text: string, name: string, fault: string][] = [
    ['{"a":1,"a":2}', 'a', 'is there twice, with different values'],
    ['{"a":1,"\\u0061":2}', 'a', 'is there twice, with different values'],
    ['[{"b":{"a":1,"a":null}}]', 'a', 'is there twice, with different values'],
    ['{"__proto__":{"a":1}}', '__proto__', 'is not allowed'],
    ['{"\\u005f_proto__":1}', '__proto__', 'is not allowed'],
    ['{"a":[{"__proto__":1}]}', 'a.0.__proto__', 'is not allowed'],
    ['{"a":"\\ud800"}', 'a', half],
    ['["\\uDE00"]', '0', half],
    ['{"a":"\\ude00\\ud83d"}', 'a', half],
    ['[[{"a":["x\\udfff"]}]]', '0.0.a.0', half],
    ['{"\\ud800":1}', '\ufffd', `${half} in its name`]
  ]
  for (const [text, name, fault] of refused) {
    t.throws(() => parse(text), new RequestError(400, `Body property '${name}' ${fault}.`), text)
  }
  t.throws(() => parse('"\\ud800"'), new RequestError(400, `The body ${half}.`))
})

t.test('bytes that are not UTF-8 are refused, and so is a byte order mark', async (t) => {
  const refused: [title: string, bytes: number[]][] = [
    ['a byte that is no UTF-8', [0xff]],
    ['an overlong form', [0xc0, 0xaf]],
    ['an overlong NUL', [0xc0, 0x80]],
    ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
    ['a pair of surrogates in UTF-8 (CESU-8)', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
    ['half a character', [0xe2, 0x82]],
    ['a continuation alone', [0x80]],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['five bytes', [0xf8, 0x88, 0x80, 0x80, 0x80]],
    ['Latin-1', [0xe9]]
  ]
  for (const [title, bytes] of refused) {
    t.throws(
      () => parse(Uint8Array.from([0x22, ...bytes, 0x22])),
      new RequestError(400, 'The body is not valid UTF-8.'),
      title
    )
  }
  t.throws(
    () => parse(Buffer.from('\ufeff{}', 'utf16le')),
    new RequestError(400, 'The body is not valid UTF-8.'),
    'UTF-16 with its mark'
  )
  t.throws(
    () => parse(Buffer.from('{}', 'utf16le')),
    new RequestError(400, 'The body is not valid JSON from character 2 on.'),
    'UTF-16'
  )
  t.throws(
    () => parse('\ufeff{}'),
    new RequestError(400, 'The body begins with a byte order mark, which JSON does not have.')
  )
  t.throws(() => parse(''), new RequestError(400, 'The body is empty; it must be JSON.'))
  t.equal(parse('"\ufeff"'), '\ufeff', 'the same character elsewhere is a character')
})

t.test('a key that comes twice with one value has that value', async (t) => {
  t.same(parse('{"a":1,"a":1}'), { a: 1 })
})

t.test('a hundred levels are taken, one more is refused', async (t) => {
  const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const objects = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)
  for (const nested of [arrays, objects]) {
    t.same(parse(nested(100)), JSON.parse(nested(100)))
    for (const depth of [101, 1_000, 2_700]) {
      t.throws(() => parse(nested(depth)), new RequestError(400, 'The body has more than 100 levels.'))
    }
  }
  t.throws(() => parse(arrays(8_192)), new RequestError(400, 'The body has more than 100 levels.'))
})

t.test('no body of 16 KiB ends the server, with a schema that refers to itself', async (t) => {
  const Shelf = { type: 'array', items: { $ref: '#/components/schemas/Shelf' } }
  const Part = {
    type: 'object',
    properties: { parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } } },
    additionalProperties: false
  }
  for (const [name, open, close, depth] of [
    ['Shelf', '[', ']', 99],
    ['Part', '{"parts":[', ']}', 49]
  ] as const) {
    const { put } = await echo(t, { $ref: `#/components/schemas/${name}` }, { Shelf, Part })
    const nested = (levels: number) => open.repeat(levels) + (name === 'Shelf' ? '[]' : '{}') + close.repeat(levels)
    const { status, text } = await put(nested(depth))
    t.same({ status, text }, { status: 200, text: nested(depth) })
    const most = Math.floor(16_382 / (open.length + close.length))
    t.match(await put(nested(most)), { status: 400, json: { message: 'The body has more than 100 levels.' } })
    t.match(await put(open.repeat(Math.floor(16_384 / open.length))), {
      status: 400,
      json: { message: /^The body is not valid JSON/ }
    })
    t.equal((await put(nested(1))).status, 200)
  }
})
