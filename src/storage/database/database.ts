import type { PoolState } from '../../domain/storage/observer.js'

/** What a query may be given. */
export type Value = string | number | bigint | null | Uint8Array

/** A row: column name to value. Integers are numbers where that is exact, else bigints; a truth is 1 or 0. */
export type Row = Record<string, Value>

/** Runs one statement with `$1`, `$2` … for the values. Rejects with StorageUnavailable when the database fails. */
export type Run = (sql: string, values?: readonly Value[]) => Promise<Row[]>

/** Statements, those that change nothing and those that may change something apart. */
export interface Queries {
  /** Runs a statement that changes nothing. */
  read: Run
  /** Runs a statement that changes something; its rows are those of its RETURNING clause. */
  write: Run
}

/** Is told the id of a row that has changed, or nothing when any row may have. */
export type Listener = (id?: number) => void

/** What a database can do besides that lies in a file of this server: what is read of it can be kept in memory. */
export interface LocalDatabase {
  /** Runs a statement that changes nothing, at once. Throws StorageUnavailable when the database fails. */
  readNow(sql: string, values?: readonly Value[]): Row[]
  /** Has a listener told of each row of a table that a commit changes, before any of its writes resolves. */
  watch(table: string, listener: Listener): void
  /** Has the listeners told of what other processes have committed: to be called before what is kept is used. */
  catchUp(): void
  /** The same, also when it was called just before; gives whether there was something to tell. */
  catchUpNow(): boolean
}

/** The SQL port under the repositories. */
export interface Database extends Queries {
  /** undefined for a database that other servers change as well, and within a transaction. */
  readonly local?: LocalDatabase | undefined
  /**
   * The same database, for what a server does by itself, which is observed apart from what requests wait for; undefined
   * where nothing is observed (see {@link upkeepOf}).
   */
  readonly upkeep?: Database | undefined
  /**
   * Runs the work in one transaction: all of it is durable when this resolves, or none of it when it rejects; only when
   * PostgreSQL is lost at the very end is it not known which, and this rejects with StorageUnavailable. The work writes
   * through the queries that it is given; a write through the database itself would wait for the transaction to end. On
   * SQLite one runs at a time. On PostgreSQL others run beside it (READ COMMITTED): a row that it has written is its
   * own until its end, one that it has only read is not, so what decides belongs into the statement that writes. In a
   * deadlock the work runs again from its start, so it must have no other effect. A statement that fails must fail the
   * work: PostgreSQL stores nothing of a transaction that goes on after one.
   */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>
  /** Tells how its connections are used; undefined where it needs none. */
  pool?(): PoolState | undefined
  /** Rejects with StorageUnavailable when records cannot be read; else tells whether they can be written too. */
  ping(): Promise<{ writable: boolean }>
  /** Waits for what is under way, then frees everything. */
  close(): Promise<void>
}

/** Gives a database in the form in which a server uses it for what it does by itself, for no request. */
export function upkeepOf (database: Database): Database {
  return database.upkeep ?? database
}
