import { readFileSync } from 'node:fs'
import t from 'tap'
import { startProgram } from '../../../scripts/cluster/program.js'
import { inOneWrite } from '../../../src/cli/log.js'
import { newSecret } from '../../../src/domain/api-keys.js'
import { until } from '../../support/until.js'
import { emptyDatabase, runInProcess } from '../in-process.js'
import { canaryCage, checkPlaces, secretsIn, sendCanaries } from './canaries.js'

t.test('a secret is found in a text however it is written there', async (t) => {
  const { canary } = canaryCage(newSecret('live'))
  const secret = canary()
  const part = secret.slice(12, 30)
  const encoded = [...Buffer.from(part)].map((byte) => `%25${byte.toString(16)}`).join('')
  const hidden = [secret, part, encoded, Buffer.from(part).toString('hex')]
  for (const text of hidden) t.same(secretsIn(`before ${text} behind`, [newSecret('live'), secret]), [secret], text)
  t.same(secretsIn(`${secret.slice(9, 20)} ${newSecret('live')}`, [secret]), [], 'too little, and another one')
})

t.test(
  'no key that a caller sends stands in the output at LOG_LEVEL=trace, in the database or in its log, wherever it was sent',
  async (t) => {
    const database = emptyDatabase(t)
    const path = database.DATABASE_URL.slice(7)
    const { key: valid } = JSON.parse(
      (await runInProcess(['keys', 'create', '--plan', 'business', '--json'], database)).stdout
    )
    const server = await startProgram(t, { ...database, LOG_LEVEL: 'trace' })
    const { secrets: canaries, canary } = canaryCage(valid)
    await sendCanaries(t, server.root, valid, canary)
    const wal = readFileSync(`${path}-wal`, 'latin1')
    t.equal(await server.stop(), 0)

    checkPlaces(t, canaries, {
      stdout: [server.stdout(), '"status":201'],
      stderr: [server.stderr(), server.root],
      'the database': [readFileSync(path, 'latin1'), 'Rex'],
      'its log': [wal, 'Rex']
    })
  }
)

t.test(
  'the log is one JSON object a line on stdout, and names for each request its id, key id, operation and status',
  async (t) => {
    const database = emptyDatabase(t)
    const made = JSON.parse((await runInProcess(['keys', 'create', '--json'], database)).stdout)
    const server = await startProgram(t, database)
    const { headers } = await fetch(`${server.root}/v1/pets?limit=5`, {
      headers: { authorization: `Bearer ${made.key}` }
    })
    await fetch(`${server.root}/v1/pets`)
    t.equal(await server.stop(), 0)
    const lines = server
      .stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const [first, second] = lines.filter(({ msg }) => msg === 'answered')
    t.match(first, {
      level: 30,
      time: Number,
      reqId: headers.get('x-request-id'),
      method: 'GET',
      path: '/v1/pets',
      operationId: 'listPets',
      keyId: made.id,
      address: '127.0.0.1',
      status: 200,
      ms: Number
    })
    t.match(second, { operationId: 'listPets', status: 401 })
    t.notOk('keyId' in second)
  }
)

t.test('lines are written many at once, in their order and whole, however long', async (t) => {
  const writes: string[] = []
  const log = inOneWrite((bytes) => writes.push(Buffer.from(bytes).toString()))
  const lines = Array.from({ length: 2_000 }, (_, index) => `${index} grün 🐕 ${'x'.repeat(index % 200)}\n`)
  // A character of three bytes, and more lines of it than are written at once; a line that goes alone.
  lines.splice(500, 0, ...Array.from({ length: 8 }, () => `${'€'.repeat(10_000)}\n`))
  lines.splice(1_000, 0, `${'ü'.repeat(100_000)}\n`)
  for (const line of lines) log.write(line)
  await until(async () => writes.join('').length >= lines.join('').length)
  t.equal(writes.join(''), lines.join(''))
  t.ok(writes.length < 25, `${writes.length} writes`)
  t.ok(writes.every((text) => text.endsWith('\n')), 'no line is cut')
})
