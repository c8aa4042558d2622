import t from 'tap'
import { appliedText, preferencesOf } from '../../../src/contract/examples/prefer.js'

t.test('a Prefer header is read as RFC 7240 writes it', async (t) => {
  for (const [header, wanted] of [
    ['', {}],
    ['code=404', { code: '404' }],
    ['code=404, example=least', { code: '404', example: 'least' }],
    ['CODE = 404 ; p=1;q="a, b" ,Example="two words"', { code: '404', example: 'two words' }],
    ['respond-async, wait=10', { 'respond-async': '', wait: '10' }],
    ['code=1, code=2', { code: '1' }],
    ['foo="a, code=404", code=200', { foo: 'a, code=404', code: '200' }],
    ['example="say \\"hi\\" \\\\"', { example: 'say "hi" \\' }],
    ['code=""', { code: '' }],
    ['code=', { code: '' }],
    ['code', { code: '' }],
    [',, ,code=1,', { code: '1' }],
    ['=404, "code"=404', {}]
  ] as const) {
    t.same(Object.fromEntries(preferencesOf(header)), wanted, header)
  }
})

t.test('Preference-Applied names them in a form that is read back the same', async (t) => {
  t.equal(
    appliedText([
      ['code', '404'],
      ['example', 'least']
    ]),
    'code=404, example=least'
  )
  for (const value of ['two words', 'a, b', 'say "hi" \\', '', 'a=b']) {
    t.same([...preferencesOf(appliedText([['example', value]]))], [['example', value]], value)
  }
})

t.test('no header makes reading long', async (t) => {
  for (const header of [
    '"\\'.repeat(8_000),
    '"'.repeat(16_001),
    'a="'.repeat(5_000),
    ' '.repeat(16_000),
    '=,'.repeat(8_000)
  ]) {
    const since = process.cpuUsage()
    preferencesOf(header)
    const { user } = process.cpuUsage(since)
    t.ok(user < 1_000_000, `${header.slice(0, 6)}: ${user} µs`)
  }
})
