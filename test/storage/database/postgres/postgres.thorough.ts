import pg from 'pg'
import { ask } from '../../../../scripts/cluster/postgres.js'
import { runProgram } from '../../../../scripts/cluster/program.js'
import { eventually } from '../../../../scripts/cluster/server.js'
import { StorageUnavailable } from '../../../../src/domain/errors.js'
import { MIGRATIONS, postgresOf, TABLES } from '../../../../src/storage/database/migrations.js'
import { openPostgres } from '../../../../src/storage/database/postgres/postgres.js'
import { emptyPostgres, INTEGERS, openedPostgres, testPostgres } from '../../../support/databases.js'
import { startLine } from '../../../support/line.js'
import { until } from '../../../support/until.js'

testPostgres(
  'integers come back digit for digit: a number where that is exact, else a bigint; a truth as 1 or 0',
  async (t) => {
    const database = await openedPostgres(t)
    for (const value of INTEGERS) {
      t.strictSame(await database.read('SELECT CAST($1 AS BIGINT) AS value', [value]), [{ value }])
    }
    t.strictSame(await database.read('SELECT 1 = 1 AS yes, 1 = 2 AS no'), [{ yes: 1, no: 0 }])
  }
)

testPostgres('a commit waits for the disk as the server was told: synchronous_commit is untouched', async (t) => {
  t.same(await (await openedPostgres(t)).read('SHOW synchronous_commit'), [{ synchronous_commit: 'on' }])
})

testPostgres('servers that make the same database at once apply each migration once', async (t) => {
  const url = await emptyPostgres()
  const made = await Promise.all(Array.from({ length: 5 }, () => openPostgres(url)))
  await Promise.all(made.map((database) => database.close()))
  const rows = await ask(url, 'SELECT version::int FROM petstore_migrations ORDER BY version')
  t.same(
    rows.map(({ version }) => version),
    MIGRATIONS.map((_, index) => index + 1)
  )
})

testPostgres('so do three programs that start at the same time', async (t) => {
  const url = await emptyPostgres()
  const ended = await Promise.all(
    Array.from({ length: 3 }, () => runProgram(['keys', 'create', '--json'], { DATABASE_URL: url }))
  )
  for (const { code, stderr } of ended) t.same({ code, stderr }, { code: 0, stderr: '' })
  t.same(await ask(url, 'SELECT count(*)::int AS times FROM petstore_migrations'), [{ times: MIGRATIONS.length }])
  t.same(await ask(url, 'SELECT count(*)::int AS keys FROM api_keys'), [{ keys: 3 }])
})

testPostgres('a migration that fails leaves nothing of itself, and the start is refused', async (t) => {
  const url = await emptyPostgres()
  await ask(url, 'CREATE TABLE usage (id INT)')
  await t.rejects(openPostgres(url), { name: 'StartRefusal', exitCode: 78, message: /has tables of another program/ })
  const seen = await ask(url, 'SELECT count(*)::int AS seen FROM petstore_migrations')
  t.ok(Number(seen[0]!.seen) < MIGRATIONS.length)
  t.same(await ask(url, "SELECT count(*)::int AS columns FROM information_schema.columns WHERE table_name = 'usage'"), [
    { columns: 1 }
  ])
})

testPostgres('a transaction is stored whole or not at all', async (t) => {
  const database = await openedPostgres(t)
  const insert = (name: string) => ['INSERT INTO pets (name, category_id) VALUES ($1, 1)', [name]] as const
  await t.rejects(
    database.transaction(async ({ write }) => {
      await write(...insert('undone'))
      throw new Error('no')
    }),
    new Error('no')
  )
  await t.rejects(
    database.transaction(async ({ write }) => {
      await write(...insert('undone'))
      await write('INSERT INTO pets (name) VALUES (NULL)')
    }),
    { code: '23502' }
  )
  t.equal(
    await database.transaction(async ({ write }) => {
      await write(...insert('Rex'))
      return 'stored'
    }),
    'stored'
  )
  t.same(await database.read('SELECT name FROM pets'), [{ name: 'Rex' }])
})

testPostgres(
  'transactions at the same time do not undo each other: a row that one has written is its own until its end',
  async (t) => {
    const database = await openedPostgres(t)
    await database.write("INSERT INTO pets (name, category_id) VALUES ('stock', 5)")
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        database.transaction(async ({ write }) => {
          const [taken] = await write(
            "UPDATE pets SET category_id = category_id - 1 WHERE name = 'stock' AND category_id > 0 RETURNING id"
          )
          await write('INSERT INTO pets (name, category_id) VALUES ($1, $2)', [taken ? 'sold' : 'sold out', index])
          return taken ? 'sold' : 'sold out'
        })
      )
    )
    t.equal(outcomes.filter((outcome) => outcome === 'sold').length, 5)
    t.same(await database.read('SELECT name, count(*) AS count FROM pets GROUP BY name ORDER BY name'), [
      { name: 'sold', count: 5 },
      { name: 'sold out', count: 25 },
      { name: 'stock', count: 1 }
    ])
  }
)

testPostgres('transactions that wait for each other both succeed in the end', async (t) => {
  const database = await openPostgres(await emptyPostgres(), { deadline: 20_000 })
  t.teardown(() => database.close())
  await database.write("INSERT INTO pets (name, category_id) VALUES ('one', 0), ('other', 0)")
  const both = new Set<string>()
  const crosswise = (first: string, second: string) =>
    database.transaction(async ({ write }) => {
      const add = 'UPDATE pets SET category_id = category_id + 1 WHERE name = $1'
      await write(add, [first])
      both.add(first)
      await until(async () => both.size === 2)
      await write(add, [second])
    })
  await Promise.all([crosswise('one', 'other'), crosswise('other', 'one')])
  t.same(await database.read('SELECT category_id AS count FROM pets'), [{ count: 2 }, { count: 2 }])
})

testPostgres(
  'a query that takes too long is given up, and so is the wait for a connection; both as unavailable',
  async (t) => {
    const database = await openPostgres(await emptyPostgres(), { deadline: 1_500, connections: 1 })
    t.teardown(() => database.close())
    const started = performance.now()
    const slow = database.read('SELECT pg_sleep(30)')
    await t.rejects(database.read('SELECT 1 AS one'), StorageUnavailable, 'behind it')
    await t.rejects(slow, StorageUnavailable)
    t.ok(performance.now() - started < 15_000, 'long before the query would have ended')
    t.same(await database.read('SELECT 1 AS one'), [{ one: 1 }], 'over a connection of its own')
  }
)

testPostgres('a connection that the server ends costs only what was on it', async (t) => {
  const url = await emptyPostgres()
  const database = await openedPostgres(t, url)
  const others =
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'
  const lost = database.transaction(async ({ write }) => {
    await write("INSERT INTO pets (name, category_id) VALUES ('undone', 1)")
    await ask(url, others)
    await write("INSERT INTO pets (name, category_id) VALUES ('undone', 1)")
  })
  await t.rejects(lost, StorageUnavailable)
  // Connections that nobody used were ended, too; which ones, the pool learns in a moment.
  t.same(await eventually(() => database.read('SELECT count(*) AS pets FROM pets')), [{ pets: 0 }])
})

testPostgres('a start ends with a sentence when the database breaks off or hangs on the way', async (t) => {
  const url = await emptyPostgres()
  const other = new pg.Client(url)
  await other.connect()
  await other.query('SELECT pg_advisory_lock($1)', [0x50657473])
  const opening = openPostgres(url)
  const waiting = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'"
  await eventually(async () => {
    if ((await ask(url, `SELECT 1 ${waiting}`)).length === 0) throw new Error('It does not wait yet.')
  })
  await Promise.all([
    t.rejects(opening, { name: 'StartRefusal', exitCode: 75, message: /cannot be used now\. .*\(57P01 terminating connection[^)]*\)$/ }),
    ask(url, `SELECT pg_terminate_backend(pid) ${waiting}`)
  ])
  await other.end()
  const filling = openPostgres(url, { connections: 50 }).then(
    (database) => database.close(),
    () => {}
  )
  await eventually(async () => {
    if ((await ask(url, 'SELECT 1 FROM pg_stat_activity WHERE datname = current_database()')).length < 5) {
      throw new Error('Not begun.')
    }
  })
  await ask(
    url,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'
  )
  await filling
  const hangs = await startLine(t, url, 'BEGIN')
  await t.rejects(openPostgres(hangs.url, { deadline: 800 }), {
    name: 'StartRefusal',
    exitCode: 75,
    message: /cannot be used now\. .*\(It did not answer within 800 ms\.\)$/
  })
})

testPostgres(
  'a schema that must change waits for nobody who reads for long: those behind it would wait, too',
  async (t) => {
    const url = await emptyPostgres()
    await openPostgres(url).then((database) => database.close())
    await ask(url, `DROP TABLE ${TABLES.join(', ')}`)
    await ask(url, 'DELETE FROM petstore_migrations')
    const scopes = MIGRATIONS.findIndex((sql) => sql.includes('ADD COLUMN scopes'))
    for (const [index, sql] of MIGRATIONS.slice(0, scopes).entries()) {
      await ask(url, postgresOf(sql))
      await ask(url, `INSERT INTO petstore_migrations (version) VALUES (${index + 1})`)
    }
    const reader = new pg.Client(url)
    await reader.connect()
    t.teardown(() => reader.end())
    await reader.query('BEGIN')
    await reader.query('SELECT 1 FROM api_keys')
    await t.rejects(openPostgres(url, { deadline: 1_500 }), {
      name: 'StartRefusal',
      exitCode: 75,
      message: /has tables that must change and that others use\. Start again/
    })
    await reader.query('COMMIT')
    await openPostgres(url).then((database) => database.close())
  }
)

testPostgres('tables that are not those of their version are told in a sentence', async (t) => {
  for (const sql of [
    'DELETE FROM petstore_migrations WHERE version > 1',
    'DELETE FROM petstore_migrations WHERE version > 4; DROP TABLE key_changes, previous_secrets, api_keys'
  ]) {
    const url = await emptyPostgres()
    await openPostgres(url).then((database) => database.close())
    for (const statement of sql.split('; ')) await ask(url, statement)
    await t.rejects(openPostgres(url), {
      name: 'StartRefusal',
      exitCode: 78,
      message: /is damaged: its tables are not those of the version that it says it has\. Restore a backup/
    })
  }
})

testPostgres('a part of the newest schema that is missing is told in a sentence', async (t) => {
  for (const [sql, part] of [
    ['DROP TABLE idempotency_keys', 'the index idempotency_keys_by_created_at'],
    ['DROP TABLE usage', 'the column key_id of usage'],
    ['ALTER TABLE api_keys DROP COLUMN scopes', 'the column scopes of api_keys'],
    ['DROP INDEX pets_by_status', 'the index pets_by_status']
  ] as const) {
    const url = await emptyPostgres()
    await openPostgres(url).then((database) => database.close())
    await ask(url, sql)
    await t.rejects(openPostgres(url), {
      name: 'StartRefusal',
      exitCode: 78,
      message: `is damaged: it says that its schema has the version ${MIGRATIONS.length}, but ${part} is missing. Restore a backup, or give this program an empty database.`
    })
  }
})

testPostgres('the end does not wait for a server that hangs', async (t) => {
  const line = await startLine(t, await emptyPostgres())
  const database = await openPostgres(line.url, { deadline: 500, connections: 3 })
  line.cut()
  await t.rejects(database.read('SELECT 1 AS one'), StorageUnavailable)
  const open = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
  const before = open()
  await database.close()
  await eventually(async () => {
    if (open() > before - 2) throw new Error('It holds on to the connections that it did not use.')
  })
})

testPostgres('a connection that cannot be had is unavailable, whatever the reason', async (t) => {
  const url = await emptyPostgres()
  const database = await openedPostgres(t, url)
  const elsewhere = url.replace(/\/\w+$/, '/postgres')
  const name = new URL(url).pathname.slice(1)
  await ask(elsewhere, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await ask(elsewhere, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
  for (let attempt = 0; attempt < 12; attempt++) await t.rejects(database.read('SELECT 1 AS one'), StorageUnavailable)
})

testPostgres('all tries of a transaction have one deadline', async (t) => {
  const database = await openPostgres(await emptyPostgres(), { deadline: 5_000, connections: 1 })
  t.teardown(() => database.close())
  let tries = 0
  let slept = 0
  await t.rejects(
    database.transaction(async ({ write }) => {
      tries++
      await write('SELECT pg_sleep(3)')
      slept++
      await write("DO $$ BEGIN RAISE EXCEPTION 'in the way' USING ERRCODE = '40001'; END $$")
    }),
    StorageUnavailable
  )
  t.equal(tries, 2)
  t.equal(slept, 1, 'the second is cut before it has slept as long as the first')
})
