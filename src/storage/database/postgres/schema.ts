import type pg from 'pg'
import { StorageUnavailable } from '../../../domain/errors.js'
import { StartRefusal } from '../../../domain/start-refusal.js'
import { within } from '../../scheduling/deadline.js'
import type { Row, Run, Value } from '../database.js'
import { MIGRATIONS, postgresOf } from '../migrations.js'
import { refuseNewer } from '../newer-schema.js'

/** Names the lock under which one program at a time changes the schema: "Pets" in ASCII. */
const MIGRATION_LOCK = 0x50657473
/**
 * How long a migration waits at most for who reads the tables, in milliseconds: all who come after it wait behind it.
 */
const TURN = 1_600

/**
 * Brings the schema forward, each migration in a transaction of its own, in which the lock is held: servers that start
 * together apply each once. The turn of others and a migration take as long as they take; no other statement takes
 * longer than the deadline. A migration waits no longer than that for who reads the tables, because all who come after
 * it would wait behind it.
 * @throws {StartRefusal} when the schema is newer, or not that of its version
 */
export async function migrate (client: pg.ClientBase, name: string, deadline: number): Promise<void> {
  const patient: Run = async (sql, values) => (await client.query<Row>(sql, values as Value[])).rows
  const run: Run = (sql, values) =>
    within(deadline, patient(sql, values), () => new StorageUnavailable(`It did not answer within ${deadline} ms.`))
  for (let version = 0; version < MIGRATIONS.length;) {
    await run('BEGIN')
    await run('SET LOCAL statement_timeout = 0')
    await patient('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await run(`SET LOCAL lock_timeout = ${Math.min(deadline, TURN)}`)
    await run(
      `CREATE TABLE IF NOT EXISTS petstore_migrations (
         version BIGINT PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL DEFAULT now()
       )`
    )
    version = Number((await run('SELECT count(*) AS version FROM petstore_migrations'))[0]!.version)
    refuseNewer(name, version)
    if (version < MIGRATIONS.length) {
      await patient(postgresOf(MIGRATIONS[version]!))
      await run('INSERT INTO petstore_migrations (version) VALUES ($1)', [++version])
    }
    if (version === MIGRATIONS.length) await deleteServersOfDump(run)
    await run('COMMIT')
  }
  await checkSchema(run, name)
}

/** Deletes the servers that ran during a dump, once it is restored: the table then has another OID than it lists. */
async function deleteServersOfDump (run: Run): Promise<void> {
  await run('CREATE TABLE IF NOT EXISTS petstore_restores (table_oid OID PRIMARY KEY)')
  const [restored] = await run(
    `INSERT INTO petstore_restores VALUES ('petstore_restores'::regclass) ON CONFLICT DO NOTHING
     RETURNING (SELECT count(*) FROM petstore_restores) AS earlier`
  )
  if (restored && restored.earlier !== 0) await run('DELETE FROM counting_servers')
}

/**
 * Makes sure that a database has the tables, columns and indexes of the newest version.
 * @throws {StartRefusal} when one is missing
 */
async function checkSchema (run: Run, name: string): Promise<void> {
  const rows = await run(
    `SELECT 'the index ' || indexname AS part FROM pg_indexes WHERE schemaname = ANY (current_schemas(false))
     UNION ALL
     SELECT 'the column ' || column_name || ' of ' || table_name FROM information_schema.columns
     WHERE table_schema = ANY (current_schemas(false))`
  )
  const present = new Set(rows.map(({ part }) => part))
  // Loaded here: it loads SQLite, which knows the parts of each version.
  const { partsOfVersion } = await import('../schema-parts.js')
  for (const part of partsOfVersion(MIGRATIONS.length)) {
    if (!present.has(part)) {
      throw new StartRefusal(
        `The database ${name} is damaged: it says that its schema has the version ${MIGRATIONS.length}, but ${part} ` +
          'is missing. Restore a backup, or give this program an empty database.'
      )
    }
  }
}
