import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import t, { type Test } from 'tap'
import { runProgram } from '../../../../scripts/cluster/program.js'
import type { Database, Run } from '../../../../src/storage/database/database.js'
import { MIGRATIONS } from '../../../../src/storage/database/migrations.js'
import { pragma } from '../../../../src/storage/database/sqlite/connection.js'
import { openSqlite } from '../../../../src/storage/database/sqlite/sqlite.js'
import { apiKeyRepository } from '../../../../src/storage/repositories/api-keys.js'
import { inventoryRepository } from '../../../../src/storage/repositories/inventory.js'
import { orderRepository } from '../../../../src/storage/repositories/orders.js'
import { petRepository } from '../../../../src/storage/repositories/pets.js'
import { INTEGERS, openedFile } from '../../../support/databases.js'

const pathOf = (t: Test): string => join(t.testdir(), 'petstore.db')

async function settingsOf (database: Database): Promise<Record<'reads' | 'writes', Record<string, unknown>>> {
  const names = ['journal_mode', 'synchronous', 'foreign_keys', 'trusted_schema', 'busy_timeout']
  const pragmas = async (read: Run) =>
    Object.fromEntries(
      await Promise.all(
        names.map(async (name) => {
          const [row] = await read(`PRAGMA ${name}`)
          return [name, Object.values(row!)[0]]
        })
      )
    )
  return {
    reads: await pragmas((sql) => database.read(sql)),
    writes: await database.transaction(({ write }) => pragmas(write))
  }
}

t.test(
  'every connection works with a write-ahead log and waits for the disk (synchronous = FULL), the owner and the CLI beside it',
  async (t) => {
    const path = pathOf(t)
    const wanted = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1, trusted_schema: 0, busy_timeout: 0 }
    t.same(await settingsOf(openedFile(t, path)), { reads: wanted, writes: wanted }, 'the owner')
    t.same(await settingsOf(openedFile(t, path, { owner: false })), { reads: wanted, writes: wanted }, 'beside it')
  }
)

t.test('a file that another program set to another journal is set back', async (t) => {
  const path = pathOf(t)
  await openSqlite(path, { owner: true }).close()
  const other = new DatabaseSync(path)
  other.exec('PRAGMA journal_mode = DELETE')
  other.close()
  t.match(await settingsOf(openedFile(t, path)), {
    reads: { journal_mode: 'wal', synchronous: 2 },
    writes: { journal_mode: 'wal', synchronous: 2 }
  })
})

t.test('a new database is marked as ours and has the newest schema', async (t) => {
  const path = pathOf(t)
  await openSqlite(path, { owner: true }).close()
  const file = new DatabaseSync(path, { readOnly: true })
  t.teardown(() => file.close())
  t.equal(pragma(file, 'application_id'), 0x50657473)
  t.equal(pragma(file, 'user_version'), MIGRATIONS.length)
  t.equal(pragma(file, 'integrity_check'), 'ok')
})

t.test('what somebody else has added to a database is no fault of its schema', async (t) => {
  const path = pathOf(t)
  await openSqlite(path, { owner: true }).close()
  const file = new DatabaseSync(path)
  file.exec('CREATE TABLE notes (text); ALTER TABLE pets ADD COLUMN note TEXT; CREATE INDEX by_note ON pets (note)')
  file.close()
  t.same(await openedFile(t, path).read('SELECT count(*) AS pets FROM pets'), [{ pets: 0 }])
})

t.test('a closed database is one whole file: nothing is left in a log beside it', async (t) => {
  const path = pathOf(t)
  const database = openSqlite(path, { owner: true })
  await database.write("INSERT INTO pets (name, category_id) VALUES ('Rex', 7)")
  await database.close()
  t.notOk(existsSync(`${path}-wal`))
})

t.test('migrations run once: what is stored stays when the database is opened again', async (t) => {
  const path = pathOf(t)
  for (let opened = 1; opened <= 3; opened++) {
    const database = openSqlite(path, { owner: true })
    await database.write("INSERT INTO pets (name, category_id) VALUES ('Rex', 7)")
    t.same(await database.read('SELECT count(*) AS pets FROM pets'), [{ pets: opened }])
    t.same(await database.read('PRAGMA user_version'), [{ user_version: MIGRATIONS.length }])
    await database.close()
  }
})

t.test('a database of any older schema is brought forward with what it holds', async (t) => {
  for (let version = 1; version < MIGRATIONS.length; version++) {
    await t.test(`from version ${version}`, async (t) => {
      const path = pathOf(t)
      await openSqlite(path, { owner: true }).close()
      const file = new DatabaseSync(path)
      for (const { name } of file
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        .all()) {
        file.exec(`DROP TABLE ${name}`)
      }
      file.exec(`${MIGRATIONS.slice(0, version).join(';')}; PRAGMA user_version = ${version}`)
      file.exec(
        "INSERT INTO pets (name, category_id) VALUES ('Rex', 7); INSERT INTO pets (name, category_id, status) VALUES ('Ada', 9, 'available')"
      )
      file.exec(
        "INSERT INTO api_keys (id, hash, name, plan, last4, created_at) VALUES ('key_1', x'00', 'Shop', 'pro', 'abcd', 1)"
      )
      if (version >= 2) file.exec("UPDATE api_keys SET previous_hash = x'01', previous_until = 5")
      // From there on a server writes it to a table of its own, too.
      if (version >= 6) file.exec("INSERT INTO previous_secrets (key_id, hash, good_until) VALUES ('key_1', x'01', 5)")
      file.close()
      const database = openedFile(t, path)
      const apiKeys = apiKeyRepository(database)
      if (version >= 2) {
        t.match(await apiKeys.findByHash('01'), { id: 'key_1', expiresAt: new Date(5) }, 'an overlap goes on')
      }
      t.same((await petRepository(database).list({ limit: 20, status: 'available' })).items, [
        { id: 2, name: 'Ada', categoryId: 9, status: 'available' }
      ])
      t.same((await inventoryRepository(database).list({ limit: 20 })).items, [
        { petId: 1, quantity: 1 },
        { petId: 2, quantity: 1, status: 'available' }
      ])
      t.match(await orderRepository(database).place({ petId: 1, quantity: 1 }), { id: 1 })
      t.match(await apiKeys.find('key_1'), {
        kind: 'live',
        name: 'Shop',
        plan: 'pro',
        last4: 'abcd'
      })
      t.same(await database.read('PRAGMA user_version'), [{ user_version: MIGRATIONS.length }])
    })
  }
})

t.test('programs that make the same database at once all find it made, once', async (t) => {
  const path = pathOf(t)
  const ended = await Promise.all(
    Array.from({ length: 4 }, () => runProgram(['seed', '--pets', '1'], { DATABASE_URL: `sqlite:${path}` }))
  )
  for (const { code, stderr } of ended) t.same({ code, stderr }, { code: 0, stderr: '' })
  t.same(await openedFile(t, path).read('SELECT count(*) AS pets FROM pets'), [{ pets: 4 }])
})

t.test(
  'the second owner of a file is refused by whatever name it knows the file, and the first keeps it',
  async (t) => {
    const folder = t.testdir({ 'link.db': t.fixture('symlink', 'petstore.db') })
    const first = openedFile(t, join(folder, 'petstore.db'))
    for (const name of ['petstore.db', 'link.db', '../' + folder.split('/').at(-1) + '/petstore.db']) {
      const { code, stderr } = await runProgram(
        ['serve'],
        { PORT: '0', DATABASE_URL: `sqlite:${name}` },
        { cwd: folder }
      )
      t.equal(code, 75, name)
      t.match(stderr, `in use by another server (process ${process.pid})`, name)
    }
    t.same(await first.read('SELECT count(*) AS pets FROM pets'), [{ pets: 0 }])
  }
)

t.test('integers come back digit for digit: a number where that is exact, else a bigint', async (t) => {
  const database = openedFile(t, pathOf(t))
  for (const value of INTEGERS) {
    const rows = await database.read('SELECT CAST($1 AS INTEGER) AS value', [value])
    t.strictSame(
      rows.map((row) => ({ ...row })),
      [{ value }]
    )
  }
})

t.test('a text with NUL, which the driver would cut there, is refused', async (t) => {
  const database = openedFile(t, pathOf(t))
  const insert = 'INSERT INTO pets (name, category_id) VALUES ($1, 1)'
  await t.rejects(database.write(insert, ['a\0b']), /NUL/)
  await t.rejects(database.read('SELECT id FROM pets WHERE name = $1', ['a\0b']), /NUL/)
  t.same(await database.read('SELECT count(*) AS pets FROM pets'), [{ pets: 0 }])
})
