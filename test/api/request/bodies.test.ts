import t from 'tap'
import { exchange, faultOf } from '../../../scripts/http/refusal.js'
import { startService } from '../../support/service.js'
import { contentOf } from '../../support/page.js'

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))
const pet = (name: string, categoryId = '1', more = '') => `{"name":${name},"categoryId":${categoryId}${more}}`
const property = (name: string, fault: string) => `Body property '${name}' ${fault}.`
const json = (character: number) => `The body is not valid JSON from character ${character} on.`
const LEVELS = 'The body has more than 100 levels.'
const OBJECT = 'The body must be an object.'
const UTF8 = 'The body is not valid UTF-8.'
const RANGE = property('categoryId', 'must be from -9223372036854775808 to 9223372036854775807')
const INTEGER = property('categoryId', 'must be an integer')
const DIGITS = property('categoryId', 'has more digits than can be kept')

/** Bodies of POST /pets that are sent as application/json, and the message of the 400. */
const REFUSED: [title: string, body: string | Uint8Array, message: string][] = [
  ['nothing', '', 'The body is empty; it must be JSON.'],
  ['nothing but space', ' \n', json(3)],
  ['a body that breaks off', '{"name":', json(9)],
  ['a comma too many', pet('"x"', '1', ','), json(28)],
  ['a comma too few', '{"name":"x" "categoryId":1}', json(13)],
  ['single quotes', "{'name':'x'}", json(2)],
  ['bare names', '{name:"x"}', json(2)],
  ['a comment', `${pet('"x"')} // x`, json(29)],
  ['two objects', pet('"x"').repeat(2), json(28)],
  ['a byte behind the object', bytes(pet('"x"'), [0]), json(28)],
  ['a raw line feed in the name', pet('"a\nb"'), json(11)],
  ['a raw NUL in the name', pet('"a\0b"'), json(11)],
  ['a bad escape', pet('"\\x41"'), json(10)],
  ['an escape that breaks off', pet('"\\u00"'), json(10)],
  ['a byte order mark', `\ufeff${pet('"x"')}`, 'The body begins with a byte order mark, which JSON does not have.'],
  ['a byte that is no UTF-8', bytes('{"name":"', [0xff], '","categoryId":1}'), UTF8],
  ['an overlong slash', bytes('{"name":"', [0xc0, 0xaf], '","categoryId":1}'), UTF8],
  ['a surrogate as bytes', bytes('{"name":"', [0xed, 0xa0, 0x80], '","categoryId":1}'), UTF8],
  ['half a character', bytes('{"name":"', [0xe2, 0x82], '","categoryId":1}'), UTF8],
  ['Latin-1', Buffer.from(pet('"Größe"'), 'latin1'), UTF8],
  ['UTF-16', Buffer.from(pet('"x"'), 'utf16le'), json(2)],
  ['UTF-16 with its mark', Buffer.from(`\ufeff${pet('"x"')}`, 'utf16le'), UTF8],
  ['half a surrogate pair', pet('"\\ud83d"'), property('name', 'has half a surrogate pair')],
  ['the other half', pet('"\\ude00x"'), property('name', 'has half a surrogate pair')],
  ['the halves in the wrong order', pet('"\\ude00\\ud83d"'), property('name', 'has half a surrogate pair')],
  ['half a surrogate pair in a name', '{"\\ud800":1}', property('\ufffd', 'has half a surrogate pair in its name')],
  ...[
    '\\u0000',
    '\\u0001',
    '\\b',
    '\\t',
    '\\n',
    '\\r',
    '\\u001b',
    '\\u001f',
    '\\u007f',
    '\\u0080',
    '\\u0085',
    '\\u009f'
  ].map((character): [string, string, string] => [
    `the control character ${character}`,
    pet(`"a${character}b"`),
    property('name', 'must not have control characters, such as line breaks')
  ]),
  [
    'one name with two values',
    '{"name":"a","name":"b","categoryId":1}',
    property('name', 'is there twice, with different values')
  ],
  [
    'one name in two spellings',
    '{"name":"a","\\u006eame":"b","categoryId":1}',
    property('name', 'is there twice, with different values')
  ],
  ['__proto__', pet('"x"', '1', ',"__proto__":{"status":"sold"}'), property('__proto__', 'is not allowed')],
  ['__proto__ escaped', pet('"x"', '1', ',"\\u005f_proto__":1'), property('__proto__', 'is not allowed')],
  ['__proto__ deep inside', pet('"x"', '1', ',"a":[{"__proto__":1}]'), property('a.0.__proto__', 'is not allowed')],
  [
    'constructor.prototype',
    pet('"x"', '1', ',"constructor":{"prototype":{"x":1}}'),
    property('constructor', 'is not known')
  ],
  [
    'prototype and toString',
    pet('"x"', '1', ',"prototype":1,"toString":1'),
    `${property('prototype', 'is not known')} ${property('toString', 'is not known')}`
  ],
  [
    'the names that some validators return',
    '{"value":{"name":"x","categoryId":1},"error":null}',
    ['name', 'categoryId']
      .map((name) => property(name, 'is required'))
      .concat(['value', 'error'].map((name) => property(name, 'is not known')))
      .join(' ')
  ],
  [
    'a name in another case',
    '{"Name":"x","categoryId":1}',
    `${property('name', 'is required')} ${property('Name', 'is not known')}`
  ],
  [
    'a name with a space',
    '{"name ":"x","categoryId":1}',
    `${property('name', 'is required')} ${property('name ', 'is not known')}`
  ],
  ['an id of the sender', pet('"x"', '1', ',"id":5'), property('id', 'is not known')],
  [
    'a long unknown name',
    pet('"x"', '1', `,"${'long'.repeat(1000)}":1`),
    property(`${'long'.repeat(25)}…`, 'is not known')
  ],
  ...['[]', '[1]', '"x"', '1', '0', '1.5', 'null', 'true', 'false', '""', `[${pet('"x"')}]`].map(
    (body): [string, string, string] => [`${body} instead of an object`, body, OBJECT]
  ),
  ['8,192 levels', '['.repeat(8192) + ']'.repeat(8192), LEVELS],
  ['2,000 levels of objects', '{"a":'.repeat(2000) + '1' + '}'.repeat(2000), LEVELS],
  ['101 levels', '{"a":'.repeat(101) + '1' + '}'.repeat(101), LEVELS],
  [
    '100 levels',
    '{"a":'.repeat(100) + '1' + '}'.repeat(100),
    ['name', 'categoryId']
      .map((name) => property(name, 'is required'))
      .concat(property('a', 'is not known'))
      .join(' ')
  ],
  ['16 KiB of [', '['.repeat(16_384), 'The body is not valid JSON.'],
  ...['"1"', 'null', 'true', '[1]', '{}', '""', '1.5', '0.1', '-0.5', '1e-1', '1e400', '-1e400'].map(
    (value): [string, string, string] => [`categoryId ${value}`, pet('"x"', value), INTEGER]
  ),
  ...[
    '9223372036854775808',
    '-9223372036854775809',
    '9223372036854775808.0',
    '1e19',
    '18446744073709551616',
    '1'.repeat(30),
    `-${'1'.repeat(30)}`,
    '1e300',
    '1'.repeat(300)
  ].map((value): [string, string, string] => [`categoryId ${value.slice(0, 40)}`, pet('"x"', value), RANGE]),
  ...['1.00000000000000000001', '9007199254740993.5', '9223372036854775807.1', '1e-400', `0.${'0'.repeat(400)}1`].map(
    (value): [string, string, string] => [`categoryId ${value.slice(0, 40)}`, pet('"x"', value), DIGITS]
  ),
  ...[
    ['01', 27],
    ['-01', 28],
    ['+1', 26],
    ['1.', 28],
    ['.5', 26],
    ['0x10', 27],
    ['0b1', 27],
    ['0o7', 27],
    ['1_0', 27],
    ['1e', 28],
    ['1e+', 29],
    ['--1', 27],
    ['-', 27],
    ['NaN', 26],
    ['Infinity', 26],
    ['-Infinity', 27],
    ['1n', 27],
    ['\u0661', 26]
  ].map(([value, character]): [string, string, string] => [
    `categoryId ${value}`,
    pet('"x"', value as string),
    json(character as number)
  ])
]

t.test(
  'every body that is not JSON, not as declared, or could not be kept as it was sent is a 400 that says what is wrong',
  async (t) => {
    const service = await startService(t)
    const post = (body: string | Uint8Array): Uint8Array => {
      const head = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: application/json\r\n`
      return bytes(
        `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
        typeof body === 'string' ? body : [...body]
      )
    }
    const exchanges = await exchange(
      service,
      REFUSED.map(([title, body]) => [title, post(body)])
    )
    for (const [index, { title, reply, ms }] of exchanges.entries()) {
      t.same(
        { status: reply.status, message: reply.json?.message },
        { status: 400, message: REFUSED[index]![2] },
        title
      )
      t.equal(faultOf(reply), undefined, `${title}: an Error`)
      t.ok(ms < 5_000, `${title}: at once`)
    }
    t.same(contentOf(await service.repositories.pets.list({ limit: 1 })), { items: [] }, 'and nothing was stored')
    t.equal(({} as Record<string, unknown>).status, undefined)
  }
)

t.test('of several faults the path is named first, then the body, then the query', async (t) => {
  const { call } = await startService(t)
  const message = async (method: string, path: string, raw?: string) =>
    (await call(method, path, raw === undefined ? {} : { raw })).json.message
  t.equal(await message('POST', '/pets?x=1'), 'The body is required.')
  t.equal(await message('POST', '/pets?x=1', 'null'), 'The body must be an object.')
  t.match(await message('POST', '/pets?x=1', '{}'), /^Body property 'name' is required\./)
  t.equal(await message('PATCH', '/inventory/x?y=1'), "Path parameter 'petId' must be an integer.")
  t.equal(await message('PATCH', '/inventory/1?y=1', 'null'), 'The body must be an object.')
  t.equal(await message('POST', '/pets?x=1', '{"name":"Rex","categoryId":1}'), "Query parameter 'x' is not known.")
})
