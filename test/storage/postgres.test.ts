import t, { type Test } from 'tap'
import { StorageUnavailable } from '../../src/domain/errors.js'
import type { Database } from '../../src/storage/database.js'
import { MIGRATIONS } from '../../src/storage/migrations.js'
import { openPostgres } from '../../src/storage/postgres.js'
import { emptyPostgres } from '../support/databases.js'
import { ask, PASSWORD, postgresLack } from '../support/postgres.js'
import { runProgram } from '../support/program.js'
import { eventually, freePort } from '../support/server.js'
import { leaveOut } from '../support/user.js'

/** A test that needs PostgreSQL. */
function test (title: string, run: (t: Test) => Promise<void>): void {
  t.test(title, async (t) => postgresLack ? leaveOut(t, postgresLack) : await run(t))
}

async function opened (t: Test, url?: string): Promise<Database> {
  const database = await openPostgres(url ?? await emptyPostgres())
  t.teardown(() => database.close())
  return database
}

test('integers come back digit for digit: a number where that is exact, else a bigint; a truth as 1 or 0', async (t) => {
  const database = await opened(t)
  for (const value of [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 9007199254740992n, 9223372036854775807n, -9223372036854775808n]) {
    t.strictSame(await database.query('SELECT CAST($1 AS BIGINT) AS value', [value]), [{ value }])
  }
  t.strictSame(await database.query('SELECT 1 = 1 AS yes, 1 = 2 AS no'), [{ yes: 1, no: 0 }])
})

test('a commit waits for the disk as the server was told: synchronous_commit is untouched', async (t) => {
  t.same(await (await opened(t)).query('SHOW synchronous_commit'), [{ synchronous_commit: 'on' }])
})

test('servers that make the same database at once apply each migration once', async (t) => {
  const url = await emptyPostgres()
  const made = await Promise.all(Array.from({ length: 5 }, () => openPostgres(url)))
  await Promise.all(made.map((database) => database.close()))
  const rows = await ask(url, 'SELECT version::int FROM petstore_migrations ORDER BY version')
  t.same(rows.map(({ version }) => version), MIGRATIONS.map((_, index) => index + 1))
})

test('so do three programs that start at the same time', async (t) => {
  const url = await emptyPostgres()
  const ended = await Promise.all(Array.from({ length: 3 }, () => runProgram(['keys', 'create', '--json'], { DATABASE_URL: url })))
  for (const { code, stderr } of ended) t.same({ code, stderr }, { code: 0, stderr: '' })
  t.same(await ask(url, 'SELECT count(*)::int AS times FROM petstore_migrations'), [{ times: MIGRATIONS.length }])
  t.same(await ask(url, 'SELECT count(*)::int AS keys FROM api_keys'), [{ keys: 3 }])
})

test('a migration that fails leaves nothing of itself, and the start is refused', async (t) => {
  const url = await emptyPostgres()
  await ask(url, 'CREATE TABLE usage (id INT)')
  await t.rejects(openPostgres(url), { name: 'StartRefusal', exitCode: 78, message: /has tables of another program/ })
  const seen = await ask(url, 'SELECT count(*)::int AS seen FROM petstore_migrations')
  t.ok(Number(seen[0]!.seen) < MIGRATIONS.length)
  t.same(await ask(url, "SELECT count(*)::int AS columns FROM information_schema.columns WHERE table_name = 'usage'"), [{ columns: 1 }])
})

test('a transaction is stored whole or not at all', async (t) => {
  const database = await opened(t)
  const insert = (name: string) => ['INSERT INTO pets (name, category_id) VALUES ($1, 1)', [name]] as const
  await t.rejects(database.transaction(async ({ query }) => {
    await query(...insert('undone'))
    throw new Error('no')
  }), new Error('no'))
  await t.rejects(database.transaction(async ({ query }) => {
    await query(...insert('undone'))
    await query('INSERT INTO pets (name) VALUES (NULL)')
  }), { code: '23502' })
  t.equal(await database.transaction(async ({ query }) => {
    await query(...insert('Rex'))
    return 'stored'
  }), 'stored')
  t.same(await database.query('SELECT name FROM pets'), [{ name: 'Rex' }])
})

test('transactions at the same time do not undo each other: a row that one has written is its own until its end', async (t) => {
  const database = await opened(t)
  await database.query("INSERT INTO pets (name, category_id) VALUES ('stock', 5)")
  const outcomes = await Promise.all(Array.from({ length: 30 }, (_, index) => database.transaction(async ({ query }) => {
    const [taken] = await query("UPDATE pets SET category_id = category_id - 1 WHERE name = 'stock' AND category_id > 0 RETURNING id")
    await query('INSERT INTO pets (name, category_id) VALUES ($1, $2)', [taken ? 'sold' : 'sold out', index])
    return taken ? 'sold' : 'sold out'
  })))
  t.equal(outcomes.filter((outcome) => outcome === 'sold').length, 5)
  t.same(await database.query('SELECT name, count(*) AS count FROM pets GROUP BY name ORDER BY name'), [{ name: 'sold', count: 5 }, { name: 'sold out', count: 25 }, { name: 'stock', count: 1 }])
})

test('transactions that wait for each other both succeed in the end', async (t) => {
  const database = await openPostgres(await emptyPostgres(), { deadline: 20_000 })
  t.teardown(() => database.close())
  await database.query("INSERT INTO pets (name, category_id) VALUES ('one', 0), ('other', 0)")
  const both = new Set<string>()
  const crosswise = (first: string, second: string) => database.transaction(async ({ query }) => {
    const add = 'UPDATE pets SET category_id = category_id + 1 WHERE name = $1'
    await query(add, [first])
    both.add(first)
    while (both.size < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    await query(add, [second])
  })
  await Promise.all([crosswise('one', 'other'), crosswise('other', 'one')])
  t.same(await database.query('SELECT category_id AS count FROM pets'), [{ count: 2 }, { count: 2 }])
})

test('a query that takes too long is given up, and so is the wait for a connection; both as unavailable', async (t) => {
  const database = await openPostgres(await emptyPostgres(), { deadline: 1_500, connections: 1 })
  t.teardown(() => database.close())
  const started = performance.now()
  const slow = database.query('SELECT pg_sleep(30)')
  await t.rejects(database.query('SELECT 1 AS one'), StorageUnavailable, 'behind it')
  await t.rejects(slow, StorageUnavailable)
  t.ok(performance.now() - started < 3_000)
  t.same(await database.query('SELECT 1 AS one'), [{ one: 1 }], 'over a connection of its own')
})

test('a connection that the server ends costs only what was on it', async (t) => {
  const url = await emptyPostgres()
  const database = await opened(t, url)
  const others = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'
  const lost = database.transaction(async ({ query }) => {
    await query("INSERT INTO pets (name, category_id) VALUES ('undone', 1)")
    await ask(url, others)
    await query("INSERT INTO pets (name, category_id) VALUES ('undone', 1)")
  })
  await t.rejects(lost, StorageUnavailable)
  // Connections that nobody used were ended, too; which ones, the pool learns in a moment.
  t.same(await eventually(() => database.query('SELECT count(*) AS pets FROM pets')), [{ pets: 0 }])
})

test('what cannot be opened is refused with a sentence and an exit code, and without the password', async (t) => {
  const url = await emptyPostgres()
  const newer = await emptyPostgres()
  await openPostgres(newer).then((database) => database.close())
  await ask(newer, 'INSERT INTO petstore_migrations (version) VALUES (998), (999)')
  const nobody = await freePort()
  const wanted: [what: string, url: string, code: number, says: RegExp][] = [
    ['no server', `postgres://u:${PASSWORD}@127.0.0.1:${nobody}/d`, 75, new RegExp(`^petstore: The database 127.0.0.1:${nobody}/d cannot be reached. Start its server, or correct DATABASE_URL. \\(ECONNREFUSED\\)\n$`)],
    ['a host that does not exist', `postgres://u:${PASSWORD}@nowhere.invalid/d`, 75, /^petstore: The database nowhere\.invalid\/d cannot be reached\. .*\((ENOTFOUND|EAI_AGAIN)\)\n$/],
    ['no such database', url.replace(/\/\w+$/, '/nowhere'), 78, /nowhere does not exist on that server\. Create it, or correct DATABASE_URL\.\n$/],
    ['a wrong password', url.replace(PASSWORD, `${PASSWORD}2`), 78, /refuses the login\. Correct the user or the password in DATABASE_URL\.\n$/],
    ['a newer schema', newer, 78, new RegExp(`has the schema version ${MIGRATIONS.length + 2}; this program knows up to ${MIGRATIONS.length}\\. Start the newer program that wrote it\\.\n$`)]
  ]
  for (const [what, url, code, says] of wanted) {
    const ended = await runProgram(['keys', 'list'], { DATABASE_URL: url })
    t.equal(ended.code, code, what)
    t.match(ended.stderr, says, what)
    t.notMatch(ended.stderr + ended.stdout, PASSWORD, what)
  }
})
