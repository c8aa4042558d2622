import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import { ask, PASSWORD } from '../../../scripts/cluster/postgres.js'
import { MAIN, nodeCommand } from '../../../scripts/cluster/program.js'
import { eventually } from '../../../scripts/cluster/server.js'
import { sha256 } from '../../../src/domain/api-keys.js'
import { PLANS } from '../../../src/domain/plans.js'
import type { Database, Row } from '../../../src/storage/database/database.js'
import { OF_SERVERS, TABLES } from '../../../src/storage/database/migrations.js'
import { openPostgres } from '../../../src/storage/database/postgres/postgres.js'
import { openSqlite } from '../../../src/storage/database/sqlite/sqlite.js'
import { apiKeyRepository } from '../../../src/storage/repositories/api-keys.js'
import { petRepository } from '../../../src/storage/repositories/pets.js'
import { emptyPostgres, openedFile, testPostgres } from '../../support/databases.js'
import { runInProcess } from '../in-process.js'

/** A SQLite file with something in every table; the pet with the largest id is gone. */
async function filled (t: Test, pets: number): Promise<string> {
  const path = join(t.testdir(), 'petstore.db')
  const database = openSqlite(path, { owner: true })
  await petRepository(database).create({
    name: "Zoë 🐶 '; --",
    categoryId: 9223372036854775807n as unknown as number,
    status: 'sold'
  })
  await database.transaction(async ({ write }) => {
    for (let pet = 2; pet <= pets + 1; pet++) {
      await write('INSERT INTO pets (name, category_id) VALUES ($1, $2)', [`Pet ${pet}`, pet])
    }
    await write('DELETE FROM pets WHERE id = $1', [pets + 1])
  })
  const apiKeys = apiKeyRepository(database)
  for (let key = 0; key < 3; key++) {
    await apiKeys.create(
      {
        id: `key_${key}`,
        kind: 'live',
        name: 'Shop',
        plan: 'pro',
        quota: PLANS.pro,
        last4: 'abcd',
        createdAt: new Date(key)
      },
      sha256(String(key))
    )
  }
  await database.write(
    "INSERT INTO usage (key_id, \"window\", start, used) VALUES ('key_1', 'day', 86400000, 7), ('key_1', 'minute', 86400000, 7)"
  )
  // As a server leaves it that is killed.
  await database.write("INSERT INTO counting_servers (server, batch, asked, told) VALUES ('killed', 0, 0, 0)")
  await database.close()
  return path
}

/** All rows, as the same kinds of objects from every driver. */
async function contentOf (database: Database): Promise<Row[][]> {
  const plain = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [column, value instanceof Uint8Array ? Buffer.from(value) : value])
    )
  return await Promise.all(
    TABLES.filter((table) => !OF_SERVERS.includes(table)).map(async (table) => (await database.read(`SELECT * FROM ${table} ORDER BY 1, 2`)).map(plain))
  )
}

testPostgres(
  'every record is copied with its id, compared, and the next id is one that was never given out',
  async (t) => {
    const path = await filled(t, 1_200)
    const url = await emptyPostgres()
    const { code, stdout, stderr } = await runInProcess(['migrate-data', '--from', `sqlite:${path}`, '--to', url])
    t.equal(code, 0, stderr)
    t.match(stdout, /pets +1,200 +the same\napi_keys +3 +the same\nusage +2 +the same\n/)
    t.match(stderr, /^pets: 1,200 of 1,200 copied\n(.*copied\n)+pets: 1,200 of 1,200 compared$/m)
    const target = await openPostgres(url)
    t.teardown(() => target.close())
    t.strictSame(await contentOf(target), await contentOf(openedFile(t, path)))
    t.same(await target.read('SELECT * FROM counting_servers'), [], 'no record of a server')
    t.equal((await petRepository(target).create({ name: 'Rex', categoryId: 1 })).id, 1_202)
    t.same(await ask(url, "SELECT 1 FROM pg_tables WHERE tablename = 'petstore_copy'"), [], 'no trace of the copy')
  }
)

testPostgres('a copy that was killed goes on where it was', async (t) => {
  const path = await filled(t, 30_000)
  const url = await emptyPostgres()
  const first = spawn(...nodeCommand([MAIN, 'migrate-data', '--from', `sqlite:${path}`, '--to', url]), {
    stdio: 'ignore'
  })
  const exited = once(first, 'exit')
  const copied = await eventually(async () => {
    const [row] = await ask(url, 'SELECT copied::int FROM petstore_copy')
    return Number(row!.copied)
  })
  first.kill('SIGKILL')
  await exited
  t.ok(copied < 30_000, `killed after ${copied} rows`)
  await Promise.all(
    [['serve'], ['keys', 'create']].map(async (args) => {
      const { code, stdout, stderr } = await runInProcess(args, { DATABASE_URL: url, REDIS_URL: 'redis://127.0.0.1:1' })
      t.match(
        { code, stdout, stderr },
        {
          code: 78,
          stdout: '',
          stderr:
            /^petstore: The database has only a part of the records .*\. Run migrate-data again until it ends, or empty the database\.\n$/
        },
        `${args.join(' ')} meanwhile`
      )
    })
  )
  const { code, stdout } = await runInProcess(['migrate-data', '--from', `sqlite:${path}`, '--json'], {
    DATABASE_URL: url
  })
  t.equal(code, 0)
  t.match(JSON.parse(stdout), { same: true, tables: [{ table: 'pets', rows: 30_000, same: true }] })
})

testPostgres('rows that differ at the end are told, and the exit code is 1', async (t) => {
  const path = await filled(t, 10)
  const url = await emptyPostgres()
  await openPostgres(url).then((database) => database.close())
  await ask(url, 'CREATE TABLE petstore_copy (name TEXT PRIMARY KEY, position TEXT NOT NULL, copied BIGINT NOT NULL)')
  await ask(url, "INSERT INTO pets (id, name, category_id) VALUES (999, 'somebody else''s', 1)")
  const { code, stdout, stderr } = await runInProcess(['migrate-data', '--from', `sqlite:${path}`, '--to', url])
  t.equal(code, 1)
  t.match(stdout, /pets +11 +DIFFERENT/)
  t.match(stderr, /is not the same as the source/)
})

testPostgres('what cannot be copied is refused, without the password', async (t) => {
  const path = await filled(t, 1)
  const url = await emptyPostgres()
  const used = await emptyPostgres()
  const target = await openPostgres(used)
  await petRepository(target).create({ name: 'Rex', categoryId: 1 })
  await target.close()
  const held = join(path, '../held.db')
  openedFile(t, held)
  const wanted: [what: string, args: string[], code: number, says: RegExp][] = [
    [
      'a target with records',
      ['--from', `sqlite:${path}`, '--to', used],
      78,
      /^petstore: The target has records already, in the table pets\./
    ],
    ['a file that a server has open', ['--from', `sqlite:${held}`, '--to', url], 75, /is in use by another server/],
    [
      'a file that is not there',
      ['--from', 'sqlite:/nowhere/petstore.db', '--to', url],
      78,
      /^petstore: There is no database at \/nowhere\/petstore\.db\. Correct --from\./
    ],
    ['the wrong way round', ['--from', url, '--to', `sqlite:${path}`], 2, /--from must be sqlite:PATH/],
    ['no target', ['--from', `sqlite:${path}`], 2, /the target must be a PostgreSQL/],
    ['a file as the target', ['--from', `sqlite:${path}`, '--to', 'sqlite:other.db'], 2, /--to must be postgres:\/\//],
    [
      'a target that is no URL',
      ['--from', `sqlite:${path}`, '--to', `postgres://u:${PASSWORD}@`],
      2,
      /--to must be postgres:\/\//
    ]
  ]
  for (const [what, args, code, says] of wanted) {
    const ended = await runInProcess(['migrate-data', ...args])
    t.equal(ended.code, code, what)
    t.match(ended.stderr, says, what)
    t.notMatch(ended.stderr, PASSWORD, what)
  }
})
