import t, { type Test } from 'tap'
import { startService, type Service } from '../../support/service.js'

/**
 * Sends a body and gives the animal as it came back; fails when GET, or the list, has one byte of it other than the
 * 201.
 */
async function stored (t: Test, { call }: Service, raw: string): Promise<string> {
  const made = await call('POST', '/pets', { raw })
  t.equal(made.status, 201)
  const { id } = made.json
  t.equal((await call('GET', `/pets/${id}`)).text, made.text, 'by its id')
  const cursor = id > 1 ? `&cursor=${Buffer.from(String(id - 1)).toString('base64url')}` : ''
  t.equal((await call('GET', `/pets?limit=1${cursor}`)).text, `[${made.text}]`, 'in the list')
  return made.text.slice(`{"id":${id},`.length)
}

/** Every class of characters that a name may have. */
const NAMES: Record<string, string> = {
  ASCII: ' !"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~',
  spaces: '  x  ',
  'one space': ' ',
  'other spaces': '\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000',
  'JSON in a string': '{"a":[1,null]}',
  SQL: "'; DROP TABLE pets; --",
  'HTML and templates': '<script>alert(1)</script>$&{{1}}%00%s',
  'words of JavaScript': '__proto__',
  numbers: '9007199254740993',
  'a composed letter': '\u00e9',
  'a decomposed letter': 'e\u0301',
  'compatibility forms': '\ufb01\u2126\u00c5\u212b',
  'letters that change their length in another case': '\u1e9e\u0130\u0149\u00df',
  'right to left': '\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 \u202eabc\u202c',
  'joiners and marks': '\u200b\u200c\u200d\u200e\u2060\ufeff\u00ad\u034f',
  'a byte order mark at the beginning': '\ufeffx',
  'many marks on one letter': `a${'\u0301'.repeat(50)}`,
  emoji: '😀👨‍👩‍👧‍👦🏳️‍🌈🇺🇳1️⃣',
  'every plane': [0x10000, 0x1ffff, 0x20000, 0x2a6d6, 0x30000, 0xe0001, 0xe01ef, 0xf0000, 0x100000, 0x10fffd]
    .map((code) => String.fromCodePoint(code))
    .join(''),
  noncharacters: '\ufdd0\ufdef\ufffe\uffff\u{1fffe}\u{10ffff}',
  'private use and unassigned': '\ue000\uf8ff\u0378\u{50000}',
  'around the surrogates': '\ud7ff\ue000\ufffd',
  'Chinese, Thai, Tamil': '中文 ภาษาไทย தமிழ்'
}

t.test('a name comes back code point for code point', async (t) => {
  const service = await startService(t)
  for (const [title, name] of Object.entries(NAMES)) {
    const wanted = `"name":${JSON.stringify(name)},"categoryId":1}`
    t.equal(await stored(t, service, `{"name":${JSON.stringify(name)},"categoryId":1}`), wanted, title)
    const escaped = [...name]
      .map((character) =>
        Array.from(
          { length: character.length },
          (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
        ).join('')
      )
      .join('')
    t.equal(await stored(t, service, `{"name":"${escaped}","categoryId":1}`), wanted, `${title}, escaped`)
  }
})

t.test(
  'every character of the first plane but the control characters and surrogates comes back, and some of each other plane',
  async (t) => {
    const service = await startService(t)
    const refused = (code: number) =>
      code < 0x20 || (code >= 0x7f && code <= 0x9f) || (code >= 0xd800 && code <= 0xdfff)
    const codes = Array.from({ length: 0x110000 }, (_, code) => code).filter(
      (code) => !refused(code) && (code < 0x10000 || code % 0x41 === 0)
    )
    for (let from = 0; from < codes.length; from += 4_000) {
      const name = String.fromCodePoint(...codes.slice(from, from + 4_000))
      const { status, json } = await service.call('POST', '/pets', { body: { name, categoryId: 1 } })
      if (status !== 201 || json.name !== name) t.fail(`from U+${codes[from]!.toString(16)}: ${status}`)
      else if ((await service.call('GET', `/pets/${json.id}`)).json.name !== name) {
        t.fail(`U+${codes[from]!.toString(16)} by its id`)
      }
    }
    t.comment(`${codes.length} characters`)
  }
)

/** Spellings of an integer, and the digits that it has. */
const INTEGERS: [sent: string, digits: string][] = [
  ...[
    '0',
    '1',
    '-1',
    '2147483647',
    '2147483648',
    '-2147483649',
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '4611686018427387905',
    '9223372036854775806',
    '9223372036854775807',
    '-9223372036854775807',
    '-9223372036854775808'
  ].map((digits): [string, string] => [digits, digits]),
  ['-0', '0'],
  ['0.0', '0'],
  ['-0.0e5', '0'],
  ['0e999999999', '0'],
  ['1.0', '1'],
  ['1.000', '1'],
  ['10e-1', '1'],
  ['1e2', '100'],
  ['1E+2', '100'],
  ['1.5e1', '15'],
  ['-1e2', '-100'],
  ['100e-2', '1'],
  ['9007199254740993.0', '9007199254740993'],
  ['90071992547409930e-1', '9007199254740993'],
  ['9.223372036854775807e18', '9223372036854775807'],
  ['922337203685477580.7E1', '9223372036854775807'],
  ['-9223372036854775808.000', '-9223372036854775808']
]

t.test('an int64 comes back digit for digit, however it is spelled', async (t) => {
  const service = await startService(t)
  for (const [sent, digits] of INTEGERS) {
    t.equal(
      await stored(t, service, `{"name":"big","categoryId":${sent}}`),
      `"name":"big","categoryId":${digits}}`,
      sent
    )
  }
})

t.test(
  'space, order and escapes of the body do not matter; a name that comes twice with one value has it',
  async (t) => {
    const service = await startService(t)
    const wanted = '"name":"Rex","categoryId":7,"status":"sold"}'
    for (const raw of [
      '\t{ "status" :"sold",\r\n"categoryId":7 , "name":"Rex"} \n',
      '{"n\\u0061me":"\\u0052ex","categoryId":7,"status":"s\\u006fld"}',
      '{"name":"Rex","name":"Rex","categoryId":7,"categoryId":7.0,"status":"sold"}'
    ]) {
      t.equal(await stored(t, service, raw), wanted, raw)
    }
  }
)
