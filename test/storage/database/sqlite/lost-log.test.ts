import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from '@photostructure/sqlite'
import t, { type Test } from 'tap'
import type { Database } from '../../../../src/storage/database/database.js'
import { MIGRATIONS } from '../../../../src/storage/database/migrations.js'
import { pragma } from '../../../../src/storage/database/sqlite/connection.js'
import { ensureFile } from '../../../../src/storage/database/sqlite/file.js'
import { openSqlite } from '../../../../src/storage/database/sqlite/sqlite.js'
import { petRepository } from '../../../../src/storage/repositories/pets.js'
import { openedFile } from '../../../support/databases.js'

/** Adds 200 pets in one commit of more than 200 pages: a log of 1,000 is checkpointed. */
const addMany = (database: Database) =>
  database.write(
    `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 200)
     INSERT INTO pets (name, category_id) SELECT hex(zeroblob(2000)), number FROM numbers`
  )
const change = (database: Database) => database.write('UPDATE pets SET category_id = category_id + 1 WHERE id = 1')

/** A database that a server has open, with so many pets. */
async function served (t: Test, pets: number) {
  const path = join(t.testdir(), 'petstore.db')
  const database = openedFile(t, path)
  for (; pets >= 200; pets -= 200) await addMany(database)
  for (; pets > 0; pets--) await petRepository(database).create({ name: 'Rex', categoryId: 1 })
  return { path, database }
}

/** Copies a database file as a crash leaves it: with its log, unless told otherwise. */
function crashed (path: string, { log = true } = {}): string {
  const copy = `${path}.crashed`
  for (const ending of ['', '-wal', '-shm', '.lock']) rmSync(copy + ending, { force: true })
  copyFileSync(path, copy)
  if (log) copyFileSync(`${path}-wal`, `${copy}-wal`)
  return copy
}

/** How many pets are in a file, whoever opens it first: a server, a command, or (unless told otherwise) sqlite3. */
async function petsIn (path: string, { foreign = true } = {}): Promise<number[]> {
  const found = new Set<number>()
  for (const first of ['server', 'command', ...(foreign ? ['sqlite3'] : [])]) {
    const copy = `${path}.${first}`
    for (const ending of ['', '-wal']) if (existsSync(path + ending)) copyFileSync(path + ending, copy + ending)
    if (first === 'sqlite3') {
      const other = new DatabaseSync(copy)
      other.prepare('SELECT count(*) FROM pets').get()
      other.close()
      t.notOk(existsSync(`${copy}-wal`), 'it brings the log into the file')
    }
    for (const owner of [first === 'server', true, false]) {
      const database = openSqlite(copy, { owner })
      found.add(Number((await database.read('SELECT count(*) AS pets FROM pets'))[0]!.pets))
      await database.close()
    }
    for (const ending of ['', '.lock']) rmSync(copy + ending)
  }
  return [...found]
}

function refuses (t: Test, path: string): void {
  const message = new RegExp(
    `^The database ${path} lacks its write-ahead log ${path}-wal, which holds its newest records: .* ` +
      'Put the log back beside it, or restore a backup\\. To go on without those records, run: ' +
      'sqlite3 FILE "DELETE FROM owner"$'
  )
  const before = readFileSync(path)
  for (const owner of [true, false]) t.throws(() => openSqlite(path, { owner }), { name: 'StartRefusal', message })
  t.ok(readFileSync(path).equals(before), 'the file is not changed')
}

t.test('a database without its log is refused, after few commits and after many', async (t) => {
  for (const pets of [0, 1, 600, 2_201]) {
    const { path } = await served(t, pets)
    refuses(t, crashed(path, { log: false }))
    t.same(await petsIn(crashed(path)), [pets])
  }
})

t.test('a database whose log was emptied after a crash is refused', async (t) => {
  const { path } = await served(t, 1)
  const copy = crashed(path)
  for (const size of [32, 10, 0]) {
    truncateSync(`${copy}-wal`, size)
    refuses(t, copy)
  }
})

t.test('a database that was killed at any step of a checkpoint is whole', async (t) => {
  const { path } = await served(t, 50)
  const other = new DatabaseSync(path)
  t.teardown(() => other.close())
  const read = () => ({ file: readFileSync(path), log: readFileSync(`${path}-wal`) })
  const holds = async (what: string, { file, log }: ReturnType<typeof read>): Promise<void> => {
    const copy = crashed(path)
    writeFileSync(copy, file)
    writeFileSync(`${copy}-wal`, log)
    t.same(await petsIn(copy, { foreign: false }), [50], what)
  }
  other.exec('UPDATE owner SET needs_log = (SELECT schema_version FROM pragma_schema_version)')
  const marked = read()
  await holds('after the mark', marked)
  other.exec('PRAGMA wal_checkpoint(PASSIVE)')
  const copied = read()
  await holds('after the copy', copied)
  for (const written of [4_096, 4_096 * 3, 4_096 * 3 + 500, copied.file.length - 4_096]) {
    const file = Buffer.concat([copied.file.subarray(0, written), marked.file.subarray(written)])
    await holds(`after ${written} bytes of the copy`, { file, log: marked.log })
  }
  other.exec('UPDATE owner SET needs_log = NULL')
  const cleared = read()
  for (const written of [10, 32, 60, 500]) {
    const log = Buffer.concat([cleared.log.subarray(0, written), copied.log.subarray(written)])
    await holds(`after ${written} bytes of the first frame behind it`, { file: copied.file, log })
  }
  t.same(await petsIn(crashed(path)), [50])
  refuses(t, crashed(path, { log: false }))
})

t.test('copies that SQLite itself makes of an open database are whole, also during a checkpoint', async (t) => {
  const { path } = await served(t, 5)
  const other = new DatabaseSync(path)
  t.teardown(() => other.close())
  for (const step of ['SELECT 1', 'UPDATE owner SET needs_log = (SELECT schema_version FROM pragma_schema_version)']) {
    other.exec(step)
    const copies = [`${path}.vacuum`, `${path}.backup`]
    other.exec(`VACUUM INTO '${copies[0]}'`)
    await backup(other, copies[1]!)
    for (const copy of copies) {
      t.same(await petsIn(copy), [5])
      rmSync(copy)
    }
  }
})

t.test('a database is whole once another program has its log in it, and lacks it again after the next commit', async (t) => {
  const { path, database } = await served(t, 5)
  const other = new DatabaseSync(path)
  t.teardown(() => other.close())
  for (const mode of ['PASSIVE', 'TRUNCATE', 'RESTART']) {
    other.exec(`PRAGMA wal_checkpoint(${mode})`)
    t.same(await petsIn(crashed(path, { log: false })), [5], mode)
    await change(database)
    refuses(t, crashed(path, { log: false }))
  }
})

t.test('the commit of a command beside the server marks the database, too', async (t) => {
  const { path } = await served(t, 1_000)
  t.same(await petsIn(crashed(path, { log: false })), [1_000], 'SQLite has copied the log into the file')
  const command = openedFile(t, path, { owner: false })
  await change(command)
  refuses(t, crashed(path, { log: false }))
})

t.test('a program that reads for long holds up the mark no longer than it reads', async (t) => {
  const { path, database } = await served(t, 1)
  const reader = new DatabaseSync(path, { readOnly: true })
  for (let round = 0; round < 2; round++) {
    reader.exec('BEGIN; SELECT * FROM pets')
    for (let commit = 0; commit < 6; commit++) await addMany(database)
    reader.exec('COMMIT')
    for (let commit = 0; commit < 2; commit++) await change(database)
    refuses(t, crashed(path, { log: false }))
  }
  reader.close()
})

t.test('a database of an earlier version, whose owner was killed, is taken over', async (t) => {
  const { path } = await served(t, 3)
  const copy = crashed(path)
  const file = new DatabaseSync(copy)
  file.exec('ALTER TABLE owner DROP COLUMN needs_log')
  file.close()
  t.same(await petsIn(copy), [3])
  await openSqlite(copy, { owner: true }).close()
  refuses(t, await (async () => {
    const database = openedFile(t, copy)
    await database.write('DELETE FROM pets')
    return crashed(copy, { log: false })
  })())
})

t.test('the sentence names a way to go on without the newest records', async (t) => {
  const { path } = await served(t, 5)
  const copy = crashed(path, { log: false })
  const file = new DatabaseSync(copy)
  file.exec('DELETE FROM owner')
  file.close()
  t.same(await petsIn(copy), [0])
})

t.test('a new database has its tables before a server or a command opens it', (t) => {
  const path = join(t.testdir(), 'petstore.db')
  ensureFile(path, { create: true })
  const file = new DatabaseSync(path, { readOnly: true })
  t.equal(pragma(file, 'user_version'), MIGRATIONS.length)
  file.close()
  t.same(readdirSync(join(path, '..')).filter((name) => !/-(wal|shm)$/.test(name)), ['petstore.db'])
  t.end()
})
