import { stripVTControlCharacters } from 'node:util'
import t from 'tap'
import { linesForPeople } from '../../../src/cli/terminal/log-lines.js'

const plain = linesForPeople(() => ({ columns: 80, colors: false }))
const colored = linesForPeople(() => ({ columns: 80, colors: true }))

const ANSWER = {
  level: 30,
  time: new Date(2026, 10, 29, 7, 5, 3, 42).getTime(),
  pid: 1,
  hostname: 'a',
  reqId: '0b8f0d9e-6f3e-4d0b-9a2e-0d3d6a1f2c4b',
  method: 'GET',
  path: '/v1/pets',
  operationId: 'listPets',
  address: '127.0.0.1',
  status: 200,
  ms: 1,
  msg: 'answered'
}
const answer = (fields: object): string => JSON.stringify({ ...ANSWER, ...fields })

t.test('an answer is one line: time, method, path, status, milliseconds, key id and code of the error', async (t) => {
  t.equal(plain(answer({ keyId: 'key_0123' })), '07:05:03.042 GET    /v1/pets 200 1.0 ms key_0123\n')
  t.equal(
    plain(answer({ method: 'POST', status: 400, ms: 12.3, keyId: 'key_0123', code: 'bad_request' })),
    '07:05:03.042 POST   /v1/pets 400 12.3 ms key_0123 bad_request\n'
  )
  t.equal(plain(answer({ status: 401, code: 'unauthorized' })), '07:05:03.042 GET    /v1/pets 401 1.0 ms unauthorized\n')
})

t.test('the status has a color of its class, and the text is the same', async (t) => {
  const starts = [204, 304, 404, 503].map((status) => {
    const line = colored(answer({ status }))
    t.equal(stripVTControlCharacters(line), plain(answer({ status })))
    return line.slice(0, line.indexOf(String(status))).slice(-5)
  })
  t.equal(new Set(starts).size, 4)
  t.notMatch(plain(answer({})), '\u001b')
})

t.test('a long path is cut so that the line fits the terminal', async (t) => {
  const fields = { path: `/v1/${'x'.repeat(190)}`, keyId: 'key_0123', status: 404, code: 'not_found' }
  const line = plain(answer(fields))
  t.equal(line.length, 80 + '\n'.length)
  t.match(line, /^07:05:03\.042 GET {4}\/v1\/x+… 404 1\.0 ms key_0123 not_found\n$/)
  const narrow = linesForPeople(() => ({ columns: 10, colors: false }))
  t.match(narrow(answer(fields)), '/v1/xxxxxxxxxxxxxxx…', 'what is left of it tells requests apart')
  const unknown = linesForPeople(() => ({ columns: undefined, colors: false }))
  t.match(unknown(answer(fields)), fields.path)
})

t.test('what a terminal would obey is percent-encoded', async (t) => {
  const line = plain(answer({ path: '/v1/\u001b[2J\u009b1A\r\n\u202e\ud800é' }))
  t.equal(line, '07:05:03.042 GET    /v1/%1B[2J%C2%9B1A%0D%0A%E2%80%AE%EF%BF%BD%C3%A9 200 1.0 ms\n')
})

t.test('no other line has what a terminal would obey or reorder either', async (t) => {
  const odd = 'a\u001b[2J\u202eb'
  const err = { type: odd, message: odd, stack: `${odd}\n    at x` }
  const line = plain(JSON.stringify({ level: 50, time: ANSWER.time, err, field: [odd, { a: odd }], msg: odd }))
  t.notOk(line.includes('\u001b') || line.includes('\u202e'))
  t.match(line, 'a\\u001b[2J\\u202eb')
})

t.test('any other line tells its level and its fields in one line, and the stack of an error below', async (t) => {
  const stopping = { level: 30, time: ANSWER.time, pid: 1, hostname: 'a', signal: 'SIGTERM', msg: 'stopping' }
  t.equal(plain(JSON.stringify(stopping)), '07:05:03.042 INFO: stopping {"signal":"SIGTERM"}\n')
  const failed = { ...stopping, level: 50, err: { type: 'Error', message: 'away', stack: 'Error: away\n    at x' } }
  t.match(plain(JSON.stringify(failed)), /^07:05:03\.042 ERROR: stopping.*\n[^]*Error: away\n +at x/)
})
