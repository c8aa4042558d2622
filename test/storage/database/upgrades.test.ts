import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import t, { type Test } from 'tap'
import { ask } from '../../../scripts/cluster/postgres.js'
import { sha256 } from '../../../src/domain/api-keys.js'
import { atomic } from '../../../src/storage/database/atomic.js'
import type { Database, Row } from '../../../src/storage/database/database.js'
import { MIGRATIONS, postgresOf, TABLES } from '../../../src/storage/database/migrations.js'
import { openPostgres } from '../../../src/storage/database/postgres/postgres.js'
import { openSqlite } from '../../../src/storage/database/sqlite/sqlite.js'
import { apiKeyRepository } from '../../../src/storage/repositories/api-keys.js'
import { categoryRepository } from '../../../src/storage/repositories/categories.js'
import { idempotencyRepository } from '../../../src/storage/repositories/idempotency.js'
import { inventoryRepository } from '../../../src/storage/repositories/inventory.js'
import { keyHistoryRepository } from '../../../src/storage/repositories/key-history.js'
import { orderRepository } from '../../../src/storage/repositories/orders.js'
import { petRepository } from '../../../src/storage/repositories/pets.js'
import { readDays } from '../../../src/storage/usage/daily-table.js'
import { readCounts } from '../../../src/storage/usage/table.js'
import { emptyPostgres } from '../../support/databases.js'
import { isOnPostgres } from '../../support/storage-under-test.js'

const NOW = Date.parse('2026-03-04T10:20:00Z')
/** What each table holds before the upgrade, as SQL: every column that any version has. */
const RECORDS: Record<string, Record<string, string>[]> = {
  pets: [
    { id: '1', name: "'Rex'", category_id: '9223372036854775807', status: 'NULL', quantity: '0' },
    { id: '7', name: "'Łódź 🐕'", category_id: '-7', status: "'available'", quantity: '3' }
  ],
  api_keys: [
    {
      id: "'key_1'",
      hash: `HEX(${sha256('one')})`,
      name: "'Shop'",
      plan: "'enterprise'",
      per_minute: '5',
      per_day: '50',
      last4: "'abcd'",
      created_at: String(NOW),
      revoked_at: 'NULL',
      kind: "'test'",
      expires_at: String(NOW + 99),
      ban_level: '2',
      banned_until: String(NOW + 5),
      previous_hash: `HEX(${sha256('zero')})`,
      previous_until: String(NOW + 9),
      scopes: "'pets:read store:read'"
    }
  ],
  usage: [
    { key_id: "'key_1'", '"window"': "'minute'", start: String(NOW), used: '4', admitted: '3' },
    { key_id: "'key_1'", '"window"': "'day'", start: String(NOW - (NOW % 86_400_000)), used: '40', admitted: '33' }
  ],
  categories: [{ id: '3', name: "'Dogs'", description: "'They bark.'" }],
  orders: [{ id: '5', pet_id: '7', quantity: '2', ship_date: "'2026-03-05T00:00:00Z'", complete: '1' }],
  idempotency_keys: [
    {
      caller: "'key_1'",
      key: "'a'",
      fingerprint: "'same'",
      created_at: String(NOW),
      status: '201',
      headers: "'{}'",
      body: "'{\"id\":7}'"
    }
  ],
  previous_secrets: [
    { id: '2', key_id: "'key_1'", hash: `HEX(${sha256('zero')})`, good_until: String(NOW + 9) }
  ],
  key_changes: [
    {
      id: '4',
      key_id: "'key_1'",
      changed_at: String(NOW),
      changed_by: "'Ada'",
      action: "'rename'",
      before: "'{\"name\":\"a\"}'",
      after: "'{\"name\":\"Shop\"}'"
    }
  ],
  daily_answers: [{ key_id: "'key_1'", day: String(NOW - (NOW % 86_400_000)), kind: "'2xx'", answers: '12' }],
  counting_servers: [{ server: "'killed'", batch: '3', asked: '1', told: '1' }]
}

/** A database of some version of the schema, before a program of this version has opened it. */
interface Old {
  run(sql: string): Promise<Row[]>
  columnsOf(table: string): Promise<string[]>
  /** Opens it as this version does, which brings the schema forward. */
  open(): Promise<Database>
}

async function oldSqlite (t: Test, folder: string, version: number): Promise<Old> {
  const path = join(folder, `${randomUUID()}.db`)
  const file = new DatabaseSync(path)
  file.exec(`PRAGMA application_id = ${0x50657473}; ${MIGRATIONS.slice(0, version).join(';')}; PRAGMA user_version = ${version}`)
  return {
    run: async (sql) => file.prepare(sql.replaceAll(/HEX\((\w+)\)/g, "x'$1'")).all() as Row[],
    columnsOf: async (table) => file.prepare(`PRAGMA table_info(${table})`).all().map(({ name }) => name as string),
    async open () {
      if (file.isOpen) file.close()
      const database = openSqlite(path, { owner: true })
      t.teardown(() => database.close())
      return database
    }
  }
}

async function oldPostgres (t: Test, _folder: string, version: number): Promise<Old> {
  const url = await emptyPostgres()
  await ask(url, 'CREATE TABLE petstore_migrations (version BIGINT PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL DEFAULT now())')
  for (let number = 1; number <= version; number++) {
    await ask(url, postgresOf(MIGRATIONS[number - 1]!))
    await ask(url, `INSERT INTO petstore_migrations (version) VALUES (${number})`)
  }
  return {
    run: async (sql) => (await ask(url, sql.replaceAll(/HEX\((\w+)\)/g, "'\\x$1'"))) as Row[],
    columnsOf: async (table) =>
      (await ask(url, `SELECT column_name FROM information_schema.columns WHERE table_name = '${table}'`)).map(
        ({ column_name: name }) => name as string
      ),
    async open () {
      const database = await openPostgres(url)
      t.teardown(() => database.close())
      return database
    }
  }
}

const [name, makeOld] = isOnPostgres(t) ? (['PostgreSQL', oldPostgres] as const) : (['SQLite', oldSqlite] as const)
const SCHEMA = {
  SQLite: `SELECT t.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" AS part FROM sqlite_schema AS t,
     pragma_table_info(t.name) AS c WHERE t.type = 'table' AND t.name NOT IN ('owner')
     UNION ALL SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1`,
  PostgreSQL: `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable AS part
     FROM information_schema.columns WHERE table_schema = current_schema()
     UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1`
}

for (let version = 0; version <= MIGRATIONS.length; version++) {
  t.test(`${name}: a database of the schema version ${version} is brought forward with all that it holds`, async (t) => {
    const folder = t.testdir()
    const old = await makeOld(t, folder, version)
    const before: Record<string, { columns: string[]; rows: Row[] }> = {}
    for (const table of TABLES) {
      const columns = await old.columnsOf(table)
      if (columns.length === 0) continue
      for (const record of RECORDS[table]!) {
        const known = Object.keys(record).filter((column) => columns.includes(column.replaceAll('"', '')))
        await old.run(`INSERT INTO ${table} (${known.join(', ')}) VALUES (${known.map((column) => record[column]).join(', ')})`)
      }
      before[table] = { columns, rows: await old.run(rowsOf(table, columns)) }
    }
    const database = await old.open()
    for (const [table, { columns, rows }] of Object.entries(before)) {
      t.same(await database.read(rowsOf(table, columns)), rows, `${table} has the rows of before`)
      t.equal(rows.length, RECORDS[table]!.length)
    }

    const fresh = await (await makeOld(t, folder, 0)).open()
    const wanted = await fresh.read(SCHEMA[name])
    t.same(await database.read(SCHEMA[name]), wanted, 'the schema is that of a new one')
    if (version > 0) await useAll(t, database, version)
  })
}

/** Reads the rows of a table as texts, which the drivers give alike, whatever other columns come later. */
function rowsOf (table: string, columns: string[]): string {
  const texts = columns.sort().map((column) => {
    const value = /hash/.test(column) ? BYTES[name](column) : `CAST("${column}" AS TEXT)`
    return `${value} AS "${column}"`
  })
  return `SELECT ${texts.join(', ')} FROM ${table} ORDER BY 1, 2`
}

const BYTES = {
  SQLite: (column: string) => `lower(hex("${column}"))`,
  PostgreSQL: (column: string) => `encode("${column}", 'hex')`
}

/** Uses what a version has left by the repositories of this one. */
async function useAll (t: Test, plain: Database, version: number): Promise<void> {
  const database = atomic(plain)
  const apiKeys = apiKeyRepository(database)
  t.match(await apiKeys.findByHash(sha256('one')), {
    id: 'key_1',
    name: 'Shop',
    kind: version >= 2 ? 'test' : 'live',
    quota: { perMinute: 5, perDay: 50 },
    ...(version >= 2 ? { expiresAt: new Date(NOW + 99), ban: { level: 2, until: NOW + 5 } } : {}),
    ...(version >= 5 ? { scopes: ['pets:read', 'store:read'] } : {})
  })
  if (version >= 2) t.match(await apiKeys.findByHash(sha256('zero')), { id: 'key_1', expiresAt: new Date(NOW + 9) })
  const counts = (await readCounts(database, ['key_1'], NOW)).get('key_1')!
  t.same([counts.minute.used, counts.day.used], version >= 2 ? [4, 40] : [0, 0], 'the limits go on')
  const pets = (await petRepository(database).list({ limit: 9 })).items
  t.same(pets.map(({ id, categoryId }) => [id, String(categoryId)]), [
    [1, '9223372036854775807'],
    [7, '-7']
  ])
  const quantities = (await inventoryRepository(database).list({ limit: 9 })).items.map(({ quantity }) => quantity)
  t.same(quantities, version >= 3 ? [0, 3] : [1, 1])
  t.equal((await categoryRepository(database).list({ limit: 9 })).items.length, version >= 3 ? 1 : 0)
  t.equal((await orderRepository(database).list({ limit: 9 })).items.length, version >= 3 ? 1 : 0)
  const kept = await idempotencyRepository(database).find({ caller: 'key_1', key: 'a', fingerprint: 'same' }, NOW + 1)
  t.equal(kept?.answer.status, version >= 4 ? 201 : undefined)
  const history = keyHistoryRepository(database, apiKeys)
  const recorded = version >= 7 ? 1 : 0
  t.equal((await history.changesOf('key_1')).length, recorded)
  t.equal((await readDays(database, 'key_1', 0)).length, recorded)

  if (name === 'SQLite') t.match(await petRepository(database).create({ name: 'New', categoryId: 1 }), { id: 8 })
  t.match(await orderRepository(database).place({ petId: 7, quantity: 1 }), { petId: 7 })
  await history.recordedBy('Ada', { now: () => NOW }).change('key_1', { name: 'Other' })
  t.equal((await history.changesOf('key_1')).length, recorded + 1)
}

/** The beginnings of the SHA-256 of the migrations that databases of users have seen. */
const RELEASED = [
  'fcfe203fd65eca33',
  'b3018540599f784a',
  'b3b9b73fb0fd7d70',
  '903812160541d4be',
  '1d32a55fd17f1136',
  '54d4e5e03d980caf'
]

t.test('what was released of the schema is never edited', async (t) => {
  const digests = MIGRATIONS.map((sql) => createHash('sha256').update(sql).digest('hex').slice(0, 16))
  t.same(digests.slice(0, RELEASED.length), RELEASED)
})
