import pg from 'pg'
import { StorageUnavailable } from '../domain/errors.js'
import { StartRefusal } from '../domain/start-refusal.js'
import type { Database, Queries, Row, Value } from './database.js'
import { MIGRATIONS, statementsOf } from './migrations.js'
import { asFailure, asRefusal, isCollision } from './postgres-failure.js'
import { within } from './within.js'

export interface PostgresOptions {
  /** How many milliseconds a query or a transaction may take, the wait for a connection included. */
  deadline?: number
  /** Connections, opened at the start and kept. */
  connections?: number
}

/** A request asks who is calling, then what for; at most one of both meets a database that hangs. With this it is answered within 3 s. */
const DEADLINE = 1_600
/** Part of the deadline that the wait for a connection may take. */
const WAIT = 0.9
/** How often a transaction runs that stands in a deadlock with another; PostgreSQL takes a second to find one. */
const TRIES = 2
/** Names the lock under which one program at a time changes the schema: "Pets" in ASCII. */
const MIGRATION_LOCK = 0x50657473

/**
 * Opens a PostgreSQL database and brings its schema forward; any number of servers may share it. A connection that breaks costs the
 * queries on it a StorageUnavailable and nobody else anything: none is sent again, because its outcome is not known.
 * @throws {StartRefusal} when the database cannot be reached, is not ours or has a newer schema
 */
export async function openPostgres (url: string, { deadline = DEADLINE, connections = 10 }: PostgresOptions = {}): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'petstore',
    min: connections,
    max: connections,
    connectionTimeoutMillis: deadline * WAIT,
    keepAlive: true,
    // The server's own limits, for what a client that is gone has left behind.
    statement_timeout: deadline,
    idle_in_transaction_session_timeout: 5 * deadline,
    types: { getTypeParser }
  })
  // A connection that breaks while nobody uses it; the pool has dropped it. Without a listener it would end the process.
  pool.on('error', () => {})
  const database = new PostgresDatabase(pool, deadline)
  try {
    await migrate(pool, nameOf(url))
    await fill(pool, connections)
    return database
  } catch (error) {
    await pool.end()
    throw asRefusal(nameOf(url), error)
  }
}

class PostgresDatabase implements Database {
  readonly dialect = 'postgres'
  readonly #pool: pg.Pool
  readonly #deadline: number

  constructor (pool: pg.Pool, deadline: number) {
    this.#pool = pool
    this.#deadline = deadline
  }

  query (sql: string, values: readonly Value[] = []): Promise<Row[]> {
    return this.#use((client) => run(client, sql, values))
  }

  async transaction<Result> (work: (queries: Queries) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#use((client) => transact(client, work))
      } catch (error) {
        if (!isCollision(error) || attempt === TRIES) throw error
      }
    }
  }

  async ping (): Promise<void> {
    await this.query('SELECT id FROM api_keys LIMIT 1')
  }

  async close (): Promise<void> {
    await this.#pool.end()
  }

  /** A client that did not answer in time is cut off: what it was about to say has nobody to hear it. */
  async #use<Result> (work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const started = performance.now()
    let client: pg.PoolClient | undefined
    let broken: Error | undefined
    try {
      client = await this.#pool.connect()
      client.on('error', ignore)
      const left = this.#deadline - (performance.now() - started)
      return await within(left, work(client), () => (broken = new StorageUnavailable(`The database did not answer within ${this.#deadline} ms.`)))
    } catch (error) {
      const failure = asFailure(error)
      if (failure instanceof StorageUnavailable && !isCollision(failure)) broken = failure
      throw failure
    } finally {
      client?.off('error', ignore)
      client?.release(broken)
    }
  }
}

/** A connection that breaks tells so twice: by the query that it fails, and by an event that would end the process. */
function ignore (): void {}

async function run (client: pg.ClientBase, sql: string, values: readonly Value[] = []): Promise<Row[]> {
  return (await client.query<Row>(sql, values as Value[])).rows
}

async function transact<Result> (client: pg.ClientBase, work: (queries: Queries) => Promise<Result>): Promise<Result> {
  await run(client, 'BEGIN')
  try {
    const result = await work({ query: (sql, values) => run(client, sql, values) })
    await run(client, 'COMMIT')
    return result
  } catch (error) {
    await run(client, 'ROLLBACK')
    throw error
  }
}

/** Each migration in a transaction of its own, in which the lock is held: servers that start together apply each once. */
async function migrate (pool: pg.Pool, name: string): Promise<void> {
  const client = await pool.connect()
  try {
    for (let version = 0; version < MIGRATIONS.length;) {
      await run(client, 'BEGIN')
      await run(client, 'SET LOCAL statement_timeout = 0')
      await run(client, 'SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
      version = await migrateOnce(client, name)
      await run(client, 'COMMIT')
    }
  } finally {
    client.release(true)
  }
}

/** Applies the first migration that the database has not seen, if any. Returns how many it has seen then. */
async function migrateOnce (client: pg.ClientBase, name: string): Promise<number> {
  await run(client, 'CREATE TABLE IF NOT EXISTS petstore_migrations (version BIGINT PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL DEFAULT now())')
  const [row] = await run(client, 'SELECT count(*) AS version FROM petstore_migrations')
  const version = Number(row!.version)
  if (version > MIGRATIONS.length) throw new StartRefusal(`The database ${name} has the schema version ${version}; this program knows up to ${MIGRATIONS.length}. Start the newer program that wrote it.`)
  if (version === MIGRATIONS.length) return version
  await client.query(statementsOf(MIGRATIONS[version]!, 'postgres'))
  await run(client, 'INSERT INTO petstore_migrations (version) VALUES ($1)', [version + 1])
  return version + 1
}

/** Opens all connections, one after the other; a storm of requests is no time for it. */
async function fill (pool: pg.Pool, connections: number): Promise<void> {
  const clients: pg.PoolClient[] = []
  try {
    while (clients.length < connections) clients.push(await pool.connect())
  } finally {
    for (const client of clients) client.release()
  }
}

const PARSERS: Record<number, (text: string) => Value> = {
  [pg.types.builtins.INT8]: (text) => Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text),
  [pg.types.builtins.BOOL]: (text) => text === 't' ? 1 : 0
}

function getTypeParser (oid: number, format?: 'text' | 'binary') {
  return PARSERS[oid] ?? pg.types.getTypeParser(oid, format as 'text')
}

/** `host:port/database`: a URL without what is secret in it. */
function nameOf (url: string): string {
  const { host, pathname } = new URL(url)
  return host + pathname
}
