import Sqlite from 'better-sqlite3'
import { StartRefusal } from '../../../domain/start-refusal.js'
import type { Database, Queries, Row, Run, Value } from '../database.js'
import { GroupCommit } from './group-commit.js'
import { keep, pragma } from './keep.js'
import { MIGRATIONS } from '../migrations.js'
import { asRefusal, holdFile, prepareFile, sameFile } from './file.js'
import { asFailure } from './failure.js'

/** synchronous = FULL as SQLite numbers it: a commit returns after the disk has it. */
const FULL = 2

/**
 * Opens the database file, creating and migrating it where needed. A server is the one owner of its file; the CLI may
 * open it beside. Reads run at once on a connection of their own and never see what is not committed; writes share
 * commits ({@link GroupCommit}).
 * @throws {StartRefusal} when the file is damaged, foreign, newer, not writable or owned by another server
 */
export function openSqlite (path: string, { owner }: { owner: boolean }): Database {
  prepareFile(path)
  const release = owner ? holdFile(path) : () => {}
  try {
    const writer = connect(path)
    migrate(writer)
    return new SqliteDatabase(writer, connect(path, { readonly: true }), release, sameFile(path))
  } catch (error) {
    release()
    throw error instanceof StartRefusal ? error : asRefusal(path, error)
  }
}

function connect (path: string, options: Sqlite.Options = {}): Sqlite.Database {
  const connection = keep(new Sqlite(path, { timeout: 2000, ...options }))
  if (!options.readonly) pragma(connection, 'journal_mode = WAL')
  // better-sqlite3's build falls back to NORMAL in WAL mode, which loses answered writes when the power fails.
  pragma(connection, 'synchronous = FULL')
  pragma(connection, 'foreign_keys = ON')
  pragma(connection, 'trusted_schema = OFF')
  pragma(connection, 'journal_size_limit = 67108864')
  const synchronous = pragma(connection, 'synchronous')
  const journal = pragma(connection, 'journal_mode')
  if (synchronous === FULL && journal === 'wal') return connection
  connection.close()
  throw new StartRefusal(
    `The database ${path} cannot be made durable: synchronous is ${synchronous} instead of ${FULL}, journal_mode is ${journal} instead of wal.`
  )
}

function migrate (connection: Sqlite.Database): void {
  const version = () => pragma(connection, 'user_version') as number
  while (version() < MIGRATIONS.length) {
    connection.exec('BEGIN IMMEDIATE')
    try {
      const next = version()
      if (next < MIGRATIONS.length) connection.exec(`${MIGRATIONS[next]}; PRAGMA user_version = ${next + 1}`)
      connection.exec('COMMIT')
    } finally {
      if (connection.inTransaction) connection.exec('ROLLBACK')
    }
  }
}

class SqliteDatabase implements Database {
  readonly #writer: Sqlite.Database
  readonly #reader: Sqlite.Database
  readonly #release: () => void
  readonly #check: () => void
  readonly #group: GroupCommit
  readonly #statements = new Map<string, Sqlite.Statement>()

  constructor (writer: Sqlite.Database, reader: Sqlite.Database, release: () => void, check: () => void) {
    this.#writer = writer
    this.#reader = reader
    this.#release = release
    this.#check = check
    this.#group = new GroupCommit(writer, check)
  }

  async read (sql: string, values?: readonly Value[]): Promise<Row[]> {
    try {
      return run(this.#prepare(this.#reader, sql), values)
    } catch (error) {
      throw asFailure(error)
    }
  }

  async write (sql: string, values?: readonly Value[]): Promise<Row[]> {
    return await this.#group.add(async () => run(this.#prepare(this.#writer, sql), values))
  }

  async transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    const query: Run = async (sql, values) => run(this.#prepare(this.#writer, sql), values)
    return await this.#group.add(() => work({ read: query, write: query }))
  }

  async ping (): Promise<void> {
    this.#check()
    await this.read('SELECT id FROM api_keys LIMIT 1')
  }

  async close (): Promise<void> {
    await this.#group.idle()
    this.#reader.close()
    this.#writer.close()
    this.#release()
  }

  #prepare (connection: Sqlite.Database, sql: string): Sqlite.Statement {
    const key = (connection === this.#reader ? 'r' : 'w') + sql
    let statement = this.#statements.get(key)
    if (!statement) {
      statement = keep(connection.prepare(sql).safeIntegers(true))
      this.#statements.set(key, statement)
    }
    return statement
  }
}

function run (statement: Sqlite.Statement, values: readonly Value[] = []): Row[] {
  const named = Object.fromEntries(values.map((value, index) => [index + 1, value]))
  if (statement.reader) return (statement.all(named) as Row[]).map(withNumbers)
  statement.run(named)
  return []
}

function withNumbers (row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
    ])
  )
}
