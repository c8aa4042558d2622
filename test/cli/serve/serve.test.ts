import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startProgram } from '../../../scripts/cluster/program.js'
import { emptyDatabase, runInProcess } from '../in-process.js'

const databaseOf = (t: Test) => ({ DATABASE_URL: `sqlite:${join(t.testdir(), 'petstore.db')}` })

async function keysIn (database: Record<string, string>): Promise<object[]> {
  return JSON.parse((await runInProcess(['keys', 'list', '--json'], database)).stdout).keys
}

t.test(
  'the first start on an empty database makes one key for development and prints a command that works with it, once',
  async (t) => {
    const database = databaseOf(t)
    const first = await startProgram(t, database)
    const lines = first.stderr().split('\n')
    t.equal(lines[0], `Petstore API on ${first.root}/v1, docs page on ${first.root}/docs`)
    const commands = lines.filter((line) => line.includes('curl'))
    t.equal(commands.length, 1)
    const [, name, value, url] = /^ {2}curl -H "(\w+): (Bearer pet_test_\w{38})" (http:\S+)$/.exec(commands[0]!)!
    const response = await fetch(url!, { headers: { [name!]: value! } })
    t.equal(response.status, 200)
    t.same(await response.json(), [])
    t.match(await keysIn(database), [{ name: 'development', plan: 'free' }])
    await first.stop()

    const second = await startProgram(t, database)
    t.match(second.stderr(), `  curl -H "Authorization: Bearer $PETSTORE_KEY" ${second.root}/v1/pets\n`)
    t.notMatch(second.stderr() + second.stdout(), /pet_(test|live)_/)
    t.equal((await keysIn(database)).length, 1)
  }
)

t.test('in production no key is made, and no secret stands in the log', async (t) => {
  const database = databaseOf(t)
  const { root, stderr, stdout } = await startProgram(t, { ...database, NODE_ENV: 'production' })
  t.match(stderr(), `  curl -H "Authorization: Bearer $PETSTORE_KEY" ${root}/v1/pets\n`)
  t.notMatch(stderr() + stdout(), /pet_(test|live)_/)
  t.same(await keysIn(database), [])
})

t.test('a port or an address that cannot be had is told in a sentence, and no key is made', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const database = databaseOf(t)
  const wanted: [environment: Record<string, string>, code: number, says: string][] = [
    [{ PORT: String(port) }, 75, `Port ${port} on 127.0.0.1 is in use by another program. Stop it, or set PORT.`],
    [
      { PORT: '0', METRICS_PORT: String(port) },
      75,
      `Port ${port} on 127.0.0.1 is in use by another program. Stop it, or set METRICS_PORT.`
    ],
    [{ PORT: '0', HOST: '192.0.2.1' }, 78, 'Cannot listen on 192.0.2.1, port 0: EADDRNOTAVAIL. Correct HOST or PORT.'],
    [{ PORT: '0', HOST: 'nowhere.invalid' }, 78, 'Cannot listen on nowhere.invalid, port 0: E']
  ]
  for (const [environment, code, says] of wanted) {
    const ended = await runInProcess(['serve'], { LOG_LEVEL: 'silent', ...database, ...environment })
    t.match({ code: ended.code, stdout: ended.stdout }, { code, stdout: '' })
    t.ok(ended.stderr.startsWith(`petstore: ${says}`), ended.stderr)
    t.equal(ended.stderr.trimEnd().split('\n').length, 1)
  }
  t.same(await keysIn(database), [])
})

t.test('a first start that cannot store the key for development ends instead of listening without one', async (t) => {
  const database = emptyDatabase(t)
  const path = database.DATABASE_URL.slice(7)
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const other = new DatabaseSync(path)
  other.exec("CREATE TRIGGER full BEFORE INSERT ON api_keys BEGIN SELECT RAISE(ABORT, 'no room'); END")
  const refused = await runInProcess(['serve'], { PORT: '0', ...database })
  t.equal(refused.code, 1)
  t.match(refused.stderr, 'no room')
  other.exec('DROP TRIGGER full; BEGIN IMMEDIATE')
  const { code, stderr } = await runInProcess(['serve'], { PORT: '0', ...database })
  other.close()
  t.equal(code, 75)
  t.equal(stderr, `petstore: The database ${path} is locked by another program. Stop that program, then start again.\n`)
})
