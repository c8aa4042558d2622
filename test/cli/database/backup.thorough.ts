import { deepEqual } from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DatabaseSync } from '@photostructure/sqlite'
import t from 'tap'
import { ask } from '../../../scripts/cluster/postgres.js'
import { MAIN, nodeCommand, runForJson, runProgram, startProgram } from '../../../scripts/cluster/program.js'
import { eventually, programAt } from '../../../scripts/cluster/server.js'
import { emptyPostgres, testPostgres } from '../../support/databases.js'
import { leaveOut } from '../../support/leave-out.js'

const WRITERS = 64
/** So many that a copy takes longer than many writes. */
const PETS = 50_000

t.test('a backup under writers has all that was acknowledged before it began and no half of an order', async (t) => {
  const folder = t.testdir()
  const environment = { DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}`, LOG_LEVEL: 'silent' }
  await runProgram(['seed', '--pets', String(PETS)], environment)
  const { root } = await startProgram(t, environment)
  const unlimited = ['--plan', 'enterprise', '--per-minute', '1000000', '--per-day', '100000000']
  const { key } = await runForJson(['keys', 'create', ...unlimited], environment)

  const acknowledged = { pets: [] as number[], orders: [] as number[] }
  const post = async (path: string, body: object): Promise<number> => {
    const response = await fetch(root + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
    const { id } = (await response.json()) as { id: number }
    if (response.status !== 201) throw new Error(`${path} answered ${response.status}`)
    return id
  }
  const ending = new AbortController()
  const writers = Array.from({ length: WRITERS }, async () => {
    while (!ending.signal.aborted) {
      const petId = await post('/v1/pets', { name: 'Rex', categoryId: 1 })
      acknowledged.pets.push(petId)
      acknowledged.orders.push(await post('/v1/store/orders', { petId }))
    }
  })
  const backups: { file: string; before: typeof acknowledged }[] = []
  for (const name of ['one.db', 'two.db', 'three.db']) {
    const file = join(folder, name)
    backups.push({ file, before: { pets: [...acknowledged.pets], orders: [...acknowledged.orders] } })
    const count = acknowledged.pets.length
    await runForJson(['backup', file], environment)
    t.ok(acknowledged.pets.length > count + WRITERS, 'writes went on meanwhile')
  }
  ending.abort()
  await Promise.all(writers)
  for (const { file, before } of backups) {
    const copy = new DatabaseSync(file, { readOnly: true })
    const ids = (table: string) => new Set(copy.prepare(`SELECT id FROM ${table}`).all().map(({ id }) => id as number))
    const present = { pets: ids('pets'), orders: ids('orders') }
    t.same(before.pets.filter((id) => !present.pets.has(id)), [], 'every pet')
    t.same(before.orders.filter((id) => !present.orders.has(id)), [], 'every order')
    const halves = copy.prepare(
      `SELECT id FROM pets LEFT JOIN (SELECT pet_id, sum(quantity) AS taken FROM orders GROUP BY pet_id) ON pet_id = id
       WHERE quantity + coalesce(taken, 0) <> 1`
    )
    t.same(halves.all(), [], 'no order without its stock, and no stock without its order')
    copy.close()
  }
})

t.test('a backup runs only while nobody else wants the processor or the disk, with each of its threads', async (t) => {
  if (!programAt('chrt') || !programAt('ionice')) return leaveOut(t, 'util-linux is not installed')
  const folder = t.testdir()
  const path = join(folder, 'petstore.db')
  const environment = { DATABASE_URL: `sqlite:${path}` }
  await runProgram(['seed', '--pets', '30'], environment)
  // It waits for this lock before it copies.
  const other = new DatabaseSync(path)
  other.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
  const [command, args] = nodeCommand([MAIN, 'backup', join(folder, 'backup.db')])
  const child = spawn(command, args, { env: { ...process.env, ...environment }, stdio: 'ignore' })
  const exited = once(child, 'exit')
  const classes = async (program: string): Promise<string[]> => {
    const threads = readdirSync(`/proc/${child.pid}/task`)
    const said = await Promise.all(threads.map((thread) => promisify(execFile)(program, ['-p', thread])))
    return [...new Set(said.map(({ stdout }) => /SCHED_\w+|idle|none|best-effort/.exec(stdout)![0]))]
  }
  const expected = { processor: ['SCHED_IDLE'], disk: ['idle'] }
  await eventually(async () => {
    deepEqual({ processor: await classes('chrt'), disk: await classes('ionice') }, expected)
  })
  other.exec('ROLLBACK')
  other.close()
  t.same(await exited, [0, null])
})

testPostgres('on PostgreSQL both commands name those of PostgreSQL, which work as they are written', async (t) => {
  const environment = { DATABASE_URL: await emptyPostgres() }
  const file = join(t.testdir(), 'petstore.dump')
  /** Runs the command line that stands behind the last colon and blank of what the program says. */
  const runWhatItSays = async (command: string) => {
    const { code, stdout, stderr } = await runProgram([command, 'any.db'], environment)
    t.same({ code, stdout }, { code: 78, stdout: '' })
    const line = stderr.trim().split(/: (?=pg_)/)[1]!.replace('FILE', file)
    await promisify(execFile)('sh', ['-c', line], { env: { ...process.env, ...environment } })
  }
  const pets = async () => (await ask(environment.DATABASE_URL, 'SELECT count(*)::int AS pets FROM pets'))[0]!.pets
  await runProgram(['seed', '--pets', '30'], environment)
  const { id } = await runForJson(['keys', 'create'], environment)
  await runWhatItSays('backup')
  await runProgram(['seed', '--pets', '5'], environment)
  await runProgram(['keys', 'revoke', id], environment)
  t.equal(await pets(), 35)
  await runWhatItSays('restore')
  t.equal(await pets(), 30)
  t.equal((await runForJson(['keys', 'show', id], environment)).revoked, null, 'all is as it was then')
  await runProgram(['seed', '--pets', '1'], environment)
  t.equal(await pets(), 31, 'and goes on')
})
