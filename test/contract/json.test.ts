import t from 'tap'
import { parseJson } from '../../src/contract/json.js'
import { RequestError } from '../../src/contract/request-error.js'
import { echo } from './books.js'

const parse = (text: string | Uint8Array) => parseJson(typeof text === 'string' ? Buffer.from(text) : text)

t.test('JSON is a value', async (t) => {
  for (const text of ['null', 'true', '"a"', '""', '[]', '{}', '[1,-2.5,"x",null,{"a":[false]}]', '{"":0," ":1,"a.b":2}', '{"constructor":"x","prototype":1,"toString":2}', '"\\u0000\\n\\"\\\\\\/"', ' \t\r\n1 ']) t.same(parse(text), JSON.parse(text), text)
  t.equal(parse('"😀 \\ud83d\\ude00 é"'), '😀 😀 é')
})

t.test('a number is exact however it is spelled: an integer that a double would round is a bigint', async (t) => {
  const wanted: [text: string, value: number | bigint][] = [
    ['0', 0], ['1.0', 1], ['1e2', 100], ['1E+2', 100], ['100e-2', 1], ['0.5e1', 5], ['10.50e1', 105], ['-1.0', -1], ['0.0', 0], ['0e999999999', 0], ['0.0e-999999999', 0],
    ['1.5', 1.5], ['0.1', 0.1], ['1e-7', 1e-7], ['1.5e300', 15n * 10n ** 299n], ['-2.5e-3', -0.0025],
    ['9007199254740991', 9007199254740991], ['9007199254740992', 9007199254740992n], ['9007199254740993', 9007199254740993n], ['9007199254740993.0', 9007199254740993n],
    ['9007199254740993.000e0', 9007199254740993n], ['9.007199254740993e15', 9007199254740993n], ['90071992547409930e-1', 9007199254740993n], ['-9007199254740993', -9007199254740993n],
    ['12e18', 12000000000000000000n], ['12E+18', 12000000000000000000n], ['9223372036854775807', 9223372036854775807n], [`${'1'.repeat(200)}`, BigInt('1'.repeat(200))],
    ['1e400', Infinity], ['-1e400', -Infinity], [`1${'0'.repeat(400)}`, Infinity]
  ]
  for (const [text, value] of wanted) t.equal(parse(text), value, text)
  t.equal(Number(parse('-0')), -0)
})

t.test('a number whose fraction would get lost is refused', async (t) => {
  for (const text of ['1.00000000000000000001', '9007199254740991.4', '9007199254740993.5', '1e-400', '-1e-400', `0.${'0'.repeat(400)}1`, '123456789012345678901.5']) {
    t.throws(() => parse(`[${text}]`), new RequestError(400, 'The body has a number with more digits than can be kept.'), text)
  }
})

t.test('what is not JSON, or could not be kept as it was sent, is refused', async (t) => {
  const bytes = (...values: number[]) => Uint8Array.from([0x22, ...values, 0x22])
  const refused: [title: string, text: string | Uint8Array][] = [
    ['nothing but space', ' '], ['a trailing comma', '[1,]'], ['single quotes', "{'a':1}"], ['a bare key', '{a:1}'], ['a comment', '1 // one'], ['two values', '1 2'], ['NaN', 'NaN'], ['Infinity', '-Infinity'],
    ['a leading zero', '01'], ['a plus', '+1'], ['a bare point', '1.'], ['hexadecimal', '0x1'], ['undefined', 'undefined'], ['an open object', '{"a":1'], ['a raw tab in a string', '"\t"'], ['a bad escape', '"\\x41"'],
    ['a key with two values', '{"a":1,"a":2}'], ['a key with two spellings', '{"a":1,"\\u0061":2}'], ['a key with two values deep inside', '[{"b":{"a":1,"a":null}}]'],
    ['__proto__', '{"__proto__":{"a":1}}'], ['__proto__ escaped', '{"\\u005f_proto__":1}'], ['__proto__ deep inside', '{"a":[{"__proto__":1}]}'],
    ['half a surrogate pair', '"\\ud800"'], ['its other half', '"\\uDE00"'], ['the halves in the wrong order', '"\\ude00\\ud83d"'], ['half a pair in a key', '{"\\ud800":1}'], ['half a pair deep inside', '[[{"a":["x\\udfff"]}]]'],
    ['a byte order mark', '\uFEFF{}'], ['a byte that is no UTF-8', bytes(0xff)], ['an overlong form', bytes(0xc0, 0xaf)], ['a surrogate in UTF-8', bytes(0xed, 0xa0, 0x80)], ['half a character', bytes(0xe2, 0x82)], ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['16 KiB of [', '['.repeat(16_384)], ['16 KiB of {"a":', '{"a":'.repeat(3_276)]
  ]
  for (const [title, text] of refused) t.throws(() => parse(text), new RequestError(400, 'The body is not valid JSON.'), title)
  t.throws(() => parse(''), new RequestError(400, 'The body is empty; it must be JSON.'))
})

t.test('a key that comes twice with one value has that value', async (t) => {
  t.same(parse('{"a":1,"a":1}'), { a: 1 })
})

t.test('a hundred levels are taken, one more is refused', async (t) => {
  const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const objects = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)
  for (const nested of [arrays, objects]) {
    t.same(parse(nested(100)), JSON.parse(nested(100)))
    for (const depth of [101, 1_000, 2_700]) t.throws(() => parse(nested(depth)), new RequestError(400, 'The body has more than 100 levels.'))
  }
  t.throws(() => parse(arrays(8_192)), new RequestError(400, 'The body has more than 100 levels.'))
})

t.test('no body of 16 KiB ends the server, with a schema that refers to itself', async (t) => {
  const Shelf = { type: 'array', items: { $ref: '#/components/schemas/Shelf' } }
  const Part = { type: 'object', properties: { parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } } }, additionalProperties: false }
  for (const [name, open, close, depth] of [['Shelf', '[', ']', 99], ['Part', '{"parts":[', ']}', 49]] as const) {
    const { put } = await echo(t, { $ref: `#/components/schemas/${name}` }, { Shelf, Part })
    const nested = (levels: number) => open.repeat(levels) + (name === 'Shelf' ? '[]' : '{}') + close.repeat(levels)
    const { status, text } = await put(nested(depth))
    t.same({ status, text }, { status: 200, text: nested(depth) })
    const most = Math.floor(16_382 / (open.length + close.length))
    t.match(await put(nested(most)), { status: 400, json: { message: 'The body has more than 100 levels.' } })
    t.match(await put(open.repeat(Math.floor(16_384 / open.length))), { status: 400, json: { message: 'The body is not valid JSON.' } })
    t.equal((await put(nested(1))).status, 200)
  }
})
