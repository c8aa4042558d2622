import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite'
import { StartRefusal } from '../../../domain/start-refusal.js'
import type { Row, Value } from '../database.js'

/** An open connection to a database file. */
export type Connection = DatabaseSyncInstance

/** `synchronous = FULL` as SQLite numbers it: a commit returns after the disk has it. */
const FULL = 2

/**
 * Opens a connection to the database file whose commits are durable when they return.
 * @throws {StartRefusal} when SQLite does not keep to that
 */
export function connect (path: string, { readOnly = false } = {}): Connection {
  const connection = new DatabaseSync(path, { readOnly, timeout: 2000 })
  if (!readOnly) connection.exec('PRAGMA journal_mode = WAL')
  // The build of SQLite that is used here falls back to NORMAL in WAL mode, which loses answered writes when the power
  // fails.
  connection.exec('PRAGMA synchronous = FULL')
  connection.exec('PRAGMA foreign_keys = ON')
  connection.exec('PRAGMA trusted_schema = OFF')
  connection.exec('PRAGMA journal_size_limit = 67108864')
  const synchronous = pragma(connection, 'synchronous')
  const journal = pragma(connection, 'journal_mode')
  if (synchronous === FULL && journal === 'wal') return connection
  connection.close()
  throw new StartRefusal(
    `The database ${path} cannot be made durable: synchronous is ${synchronous} instead of ${FULL}, journal_mode is ${journal} instead of wal.`
  )
}

/** Reads the value of a pragma. */
export function pragma (connection: Connection, name: string): unknown {
  return Object.values(connection.prepare(`PRAGMA ${name}`).get())[0]
}

/** The statements of one connection, each of which is compiled once. */
export class Statements {
  readonly #connection: Connection
  /** Those whose integers come as bigints, and those whose integers come as numbers. */
  readonly #exact = new Map<string, StatementSyncInstance>()
  readonly #plain = new Map<string, StatementSyncInstance>()

  constructor (connection: Connection) {
    this.#connection = connection
  }

  /** Runs a statement with `$1`, `$2` … for the values, and returns its rows. */
  run (sql: string, values: readonly Value[] = []): Row[] {
    const rows = this.#all(this.#compiled(this.#exact, sql, true), values)
    for (const row of rows) toNumbers(row)
    return rows
  }

  /**
   * Runs a statement that changes nothing. Integers are read as numbers first, which is quicker; where one is too large
   * for that, the statement runs again.
   */
  read (sql: string, values: readonly Value[] = []): Row[] {
    try {
      return this.#all(this.#compiled(this.#plain, sql, false), values)
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_OUT_OF_RANGE') throw error
      return this.run(sql, values)
    }
  }

  #all (statement: StatementSyncInstance, values: readonly Value[]): Row[] {
    // The driver would cut a text off at a NUL, without a word.
    for (const value of values) {
      if (typeof value === 'string' && value.includes('\0')) {
        throw new Error('A text with the character NUL cannot be kept by this driver of SQLite.')
      }
    }
    return statement.all(...values) as Row[]
  }

  #compiled (statements: Map<string, StatementSyncInstance>, sql: string, bigints: boolean): StatementSyncInstance {
    let statement = statements.get(sql)
    if (!statement) {
      // To SQLite `$1` is a name; `?1` is the first value.
      statement = this.#connection.prepare(sql.replaceAll(/\$(\d+)/g, '?$1'))
      statement.setReadBigInts(bigints)
      statements.set(sql, statement)
    }
    return statement
  }
}

/** Turns the integers of a row into numbers where those are exact. */
function toNumbers (row: Row): void {
  for (const column in row) {
    const value = row[column]
    if (typeof value !== 'bigint') continue
    const number = Number(value)
    if (Number.isSafeInteger(number)) row[column] = number
  }
}
