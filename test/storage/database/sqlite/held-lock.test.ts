import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import t, { type Test } from 'tap'
import { startProgram } from '../../../../scripts/cluster/program.js'
import type { Database } from '../../../../src/storage/database/database.js'
import { openedFile } from '../../../support/databases.js'

const insert = (database: Database, name: string) =>
  database.write('INSERT INTO pets (name, category_id) VALUES ($1, 1)', [name])
const names = async (database: Database) =>
  (await database.read('SELECT name FROM pets ORDER BY id')).map(({ name }) => name)

/** Another program that holds the lock for writing until it is told to let go. */
function holdLock (t: Test, path: string): () => void {
  const other = new DatabaseSync(path)
  t.teardown(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  return () => other.exec('ROLLBACK')
}

t.test('while another program holds the lock for writing, reads and timers go on, and writes wait', async (t) => {
  const path = join(t.testdir(), 'petstore.db')
  const database = openedFile(t, path)
  await insert(database, 'first')
  const release = holdLock(t, path)
  let done = false
  const writes = Promise.all(['second', 'third'].map((name) => insert(database, name))).then(() => {
    done = true
  })
  let longest = 0
  for (const end = performance.now() + 400; performance.now() < end;) {
    const since = performance.now()
    t.same(await names(database), ['first'])
    await database.ping()
    await sleep(10)
    longest = Math.max(longest, performance.now() - since)
  }
  t.equal(done, false)
  t.ok(longest < 500, `the longest turn took ${longest.toFixed(0)} ms`)
  release()
  await writes
  t.same(await names(database), ['first', 'second', 'third'], 'in the order of their calls')
})

t.test('a write waits for the lock up to its time, and no longer for those before it', async (t) => {
  const path = join(t.testdir(), 'petstore.db')
  const database = openedFile(t, path)
  const release = holdLock(t, path)
  const refused: string[] = []
  const refusal = { name: 'StorageUnavailable', message: 'The database failed: SQLITE_BUSY database is locked' }
  const write = (name: string) =>
    t.rejects(insert(database, name), refusal).then(() => {
      refused.push(name)
    })
  const early = write('early')
  await sleep(700)
  const late = write('late')
  await early
  t.same(refused, ['early'])
  const last = insert(database, 'last')
  await late
  release()
  await last
  t.same(await names(database), ['last'])
})

t.test('while the lock is held a service answers reads and says that it lives, and writes get 503', async (t) => {
  const path = join(t.testdir(), 'petstore.db')
  const { root, stderr } = await startProgram(t, { DATABASE_URL: `sqlite:${path}` })
  const authorization = /Bearer \w+/.exec(stderr())![0]
  const call = (path: string, init: RequestInit = {}) =>
    fetch(root + path, { ...init, headers: { authorization, 'content-type': 'application/json' } })
  t.equal((await call('/v1/pets')).status, 200)
  holdLock(t, path)
  const post = call('/v1/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}' })
  let longest = 0
  for (let tick = 0; tick < 20; tick++) {
    for (const path of ['/healthz', '/readyz', '/v1/pets']) {
      const since = performance.now()
      t.equal((await call(path)).status, 200, path)
      longest = Math.max(longest, performance.now() - since)
    }
    await sleep(20)
  }
  t.ok(longest < 1_000, `the longest read took ${longest.toFixed(0)} ms`)
  const { status, headers } = await post
  t.match({ status, retryAfter: headers.get('retry-after') }, { status: 503, retryAfter: '1' })
})
