import { Socket } from 'node:net'
import pg from 'pg'
import { StorageUnavailable } from '../../../domain/errors.js'
import type { PoolState } from '../../../domain/storage/observer.js'
import { within } from '../../scheduling/deadline.js'
import type { Database, Queries, Row, Run, Value } from '../database.js'
import { asFailure, asRefusal, asUnreachable, isCollision } from './failure.js'
import { migrate } from './schema.js'
import { readUrl } from './url.js'

/** How a PostgreSQL database is used. */
export interface PostgresOptions {
  /** How many milliseconds a query or a transaction may take, the wait for a connection included. */
  deadline?: number
  /** Connections, opened at the start and kept. */
  connections?: number
}

/**
 * With this a request that meets a database that hangs is answered within 3 s: what it would have asked next is not
 * asked any more.
 */
const DEADLINE = 1_600
/** Part of the deadline that the wait for a connection may take. */
const WAIT = 0.9
/** How often a transaction runs that stands in a deadlock with another; PostgreSQL takes a second to find one. */
const TRIES = 2
/** How long it waits before it runs again, in milliseconds, so that the other goes first. */
const PAUSE = 50
/** Milliseconds for which a failed write makes the database read-only; a server retries its own writes meanwhile. */
const DOUBT = 3_000
/** Milliseconds for which connections to a read-only server are used before new ones replace them. */
const RECONNECT = 1_000
/** SQLSTATE of a write on a standby, or in a read-only transaction. */
const READ_ONLY = '25006'
/** How long the database may take to hang up at the end, in milliseconds. */
const GOODBYE = 1_000

/**
 * Opens a PostgreSQL database and brings its schema forward; any number of servers may share it. A connection that
 * breaks costs the queries on it a StorageUnavailable and nobody else anything: none is sent again, because its outcome
 * is not known.
 * @throws {StartRefusal} when the database cannot be reached, is not ours or has a newer schema
 */
export async function openPostgres (
  url: string,
  { deadline = DEADLINE, connections = 10 }: PostgresOptions = {}
): Promise<Database> {
  const { connectionString, name } = readUrl(url)
  const sockets = new Set<Socket>()
  const pool = new pg.Pool({
    connectionString,
    application_name: 'petstore',
    min: connections,
    max: connections,
    connectionTimeoutMillis: deadline * WAIT,
    keepAlive: true,
    stream: () => tracked(new Socket(), sockets),
    // The server's own limits, for what a client that is gone has left behind.
    statement_timeout: deadline,
    idle_in_transaction_session_timeout: 5 * deadline,
    types: { getTypeParser }
  })
  // A connection that breaks tells so by what was asked of it, and by events that would end the process without a
  // listener.
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  const database = new PostgresDatabase(pool, deadline, sockets)
  try {
    await migrateAndConnect(pool, name, deadline, connections)
    return database
  } catch (error) {
    await database.close()
    throw asRefusal(name, error)
  }
}

class PostgresDatabase implements Database {
  readonly #pool: pg.Pool
  readonly #deadline: number
  readonly #sockets: Set<Socket>
  readonly #openedAt = new WeakMap<pg.PoolClient, number>()
  /** Connections opened before this are closed instead of used. */
  #staleBefore = 0
  #writeFailedAt = -Infinity

  constructor (pool: pg.Pool, deadline: number, sockets: Set<Socket>) {
    this.#pool = pool
    this.#deadline = deadline
    this.#sockets = sockets
    pool.on('connect', (client) => this.#openedAt.set(client, performance.now()))
  }

  read (sql: string, values?: readonly Value[]): Promise<Row[]> {
    return this.#use((client) => run(client, sql, values))
  }

  write (sql: string, values?: readonly Value[]): Promise<Row[]> {
    return this.#use((client) => run(client, sql, values), { writes: true })
  }

  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#use(async (client) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await transact(client, work)
        } catch (error) {
          if (!isCollision(error) || attempt === TRIES) throw error
          await new Promise((resolve) => setTimeout(resolve, PAUSE))
        }
      }
    }, { writes: true })
  }

  pool (): PoolState {
    const { totalCount, idleCount: idle, waitingCount: waiting } = this.#pool
    return { idle, busy: totalCount - idle, waiting }
  }

  async ping (): Promise<{ writable: boolean }> {
    const [row] = await this.read(
      "SELECT current_setting('transaction_read_only') = 'on' AS read_only, (SELECT id FROM api_keys LIMIT 1) AS id"
    )
    if (row!.read_only) this.#reconnect()
    return { writable: !row!.read_only && performance.now() - this.#writeFailedAt > DOUBT }
  }

  async close (): Promise<void> {
    // A server that hangs does not hang up, and would keep this process alive.
    setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy()
    }, GOODBYE).unref()
    await this.#pool.end()
  }

  /** A client that did not answer in time is cut off: what it was about to say has nobody to hear it. */
  async #use<Result>(work: (client: pg.PoolClient) => Promise<Result>, { writes = false } = {}): Promise<Result> {
    const started = performance.now()
    const client = await this.#connect()
    let broken: Error | undefined
    try {
      const left = this.#deadline - (performance.now() - started)
      return await within(
        left,
        work(client),
        () => (broken = new StorageUnavailable(`The database did not answer within ${this.#deadline} ms.`))
      )
    } catch (error) {
      const failure = asFailure(error)
      if (failure instanceof StorageUnavailable && !isCollision(error)) {
        if (writes) this.#writeFailedAt = performance.now()
        if ((error as { code?: string }).code === READ_ONLY) this.#reconnect()
        else broken = failure
      }
      throw failure
    } finally {
      client.release(broken)
    }
  }

  async #connect (): Promise<pg.PoolClient> {
    for (;;) {
      const client = await connect(this.#pool)
      if (this.#openedAt.get(client)! >= this.#staleBefore) return client
      client.release(true)
    }
  }

  /** Replaces all connections: after a failover the address leads to another server, which may accept writes. */
  #reconnect (): void {
    const now = performance.now()
    if (now - this.#staleBefore > RECONNECT) this.#staleBefore = now
  }
}

async function connect (pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw asUnreachable(error)
  }
}

function ignore (): void {}

async function run (client: pg.ClientBase, sql: string, values: readonly Value[] = []): Promise<Row[]> {
  return (await client.query<Row>(sql, values as Value[])).rows
}

async function transact<Result> (client: pg.ClientBase, work: (queries: Queries) => Promise<Result>): Promise<Result> {
  await run(client, 'BEGIN')
  try {
    const query: Run = (sql, values) => run(client, sql, values)
    const result = await work({ read: query, write: query })
    // PostgreSQL undoes a transaction in which a statement failed, and tells of it here only by the name of what it
    // did.
    const { command } = await client.query('COMMIT')
    if (command !== 'COMMIT') {
      throw new Error('A statement of this transaction failed and the work went on, so nothing of it was stored.')
    }
    return result
  } catch (error) {
    await run(client, 'ROLLBACK')
    throw error
  }
}

/** Brings the schema forward and opens all connections, one after the other; a storm of requests is no time for it. */
async function migrateAndConnect (pool: pg.Pool, name: string, deadline: number, connections: number): Promise<void> {
  const clients = [await connect(pool)]
  try {
    await migrate(clients[0]!, name, deadline)
    while (clients.length < connections) clients.push(await connect(pool))
  } finally {
    for (const client of clients) client.release()
  }
}

/** The socket, in the set for as long as it is open. */
function tracked (socket: Socket, sockets: Set<Socket>): Socket {
  sockets.add(socket)
  return socket.once('close', () => sockets.delete(socket))
}

const PARSERS: Record<number, (text: string) => Value> = {
  [pg.types.builtins.INT8]: (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)),
  [pg.types.builtins.BOOL]: (text) => (text === 't' ? 1 : 0)
}

function getTypeParser (oid: number, format?: 'text' | 'binary') {
  return PARSERS[oid] ?? pg.types.getTypeParser(oid, format as 'text')
}
