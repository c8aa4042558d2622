import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import t, { type Test } from 'tap'
import { openSqlite } from '../../../../src/storage/database/sqlite/sqlite.js'
import { backUp } from '../../../../src/storage/database/sqlite/backup.js'
import { restore } from '../../../../src/storage/database/sqlite/restore.js'

const PETS = 500

/** The path of a database that crashed in rollback mode, in the middle of a transaction: its journal is hot. */
async function crashedInJournal (t: Test): Promise<string> {
  const path = join(t.testdir(), 'petstore.db')
  const database = openSqlite(path, { owner: true })
  const values = Array.from({ length: PETS }, () => `('Rex ${'x'.repeat(100)}', 1)`).join()
  await database.write(`INSERT INTO pets (name, category_id) VALUES ${values}`)
  await database.close()
  const writer = new DatabaseSync(path)
  writer.exec("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN; UPDATE pets SET name = 'not committed'")
  const crashed = `${path}.crashed`
  for (const ending of ['', '-journal']) copyFileSync(path + ending, crashed + ending)
  writer.exec('ROLLBACK')
  writer.close()
  t.match(readFileSync(crashed, 'latin1'), 'not committed')
  return crashed
}

/** How many pets of a database are as they were committed. */
function committedIn (path: string): unknown {
  const file = new DatabaseSync(path)
  try {
    return file.prepare("SELECT count(*) AS pets FROM pets WHERE name LIKE 'Rex %'").get().pets
  } finally {
    file.close()
  }
}

t.test('a hot journal is rolled back, whoever opens the database first', async (t) => {
  for (const owner of [true, false]) {
    const path = await crashedInJournal(t)
    await openSqlite(path, { owner }).close()
    t.notOk(existsSync(`${path}-journal`))
    t.equal(committedIn(path), PETS)
  }
  const path = await crashedInJournal(t)
  await backUp(path, `${path}.backup`, { replace: false })
  t.equal(committedIn(`${path}.backup`), PETS)
})

t.test('restore takes the journal of its source, and moves that of the database before aside', async (t) => {
  const source = await crashedInJournal(t)
  const before = [source, `${source}-journal`].map((name) => readFileSync(name))
  const path = join(source, '../restored.db')
  writeFileSync(`${path}-journal`, readFileSync(`${source}-journal`))
  await restore(source, path, new Date())
  t.equal(committedIn(path), PETS)
  t.same([source, `${source}-journal`].map((name) => readFileSync(name)), before, 'the source is not changed')

  for (const ending of ['', '-journal']) copyFileSync(source + ending, path + ending)
  const { before: aside } = await restore(`${path}`.replace('restored', 'petstore'), path, new Date(0))
  t.notOk(existsSync(`${path}-journal`))
  t.ok(readFileSync(`${aside}-journal`).equals(before[1]!), 'it stays with its file')
  t.equal(committedIn(aside!), PETS)
  await openSqlite(path, { owner: true }).close()
})

t.test('a journal whose database is gone is not read into a new one', (t) => {
  const path = join(t.testdir({ 'petstore.db-journal': 'left' }), 'petstore.db')
  t.throws(() => openSqlite(path, { owner: true }), { message: /is gone, but there was one: .*petstore\.db-journal is still/ })
  t.end()
})

t.test('a backup is not written where a log of another file would be read with it', async (t) => {
  const path = join(t.testdir(), 'petstore.db')
  await openSqlite(path, { owner: true }).close()
  for (const ending of ['-wal', '-journal']) {
    const target = `${path}${ending}.backup`
    writeFileSync(target + ending, 'of another file')
    await t.rejects(backUp(path, target, { replace: true }), {
      name: 'StartRefusal',
      message: `SQLite would read ${target}${ending} with the backup. Remove that file, or choose another name.`
    })
    t.notOk(existsSync(target))
  }
})
