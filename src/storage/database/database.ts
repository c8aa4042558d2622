import type { IsCurrent } from '../../domain/snapshot.js'
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

/** The id of a row; a bigint where no number holds it exactly. */
export type Id = number | bigint

/** Makes what tells whether a row has changed since a state of a table, of the ids from `first` to `last`. */
export type Mark = (first: Id, last: Id) => IsCurrent

/** What a database can do whose file only this server and commands beside it change. */
export interface LocalDatabase {
  /**
   * Records the changes of a table from now on, and returns what marks its present state. A mark is taken before a
   * read: what is read then is current until a commit, by whatever process, changes a row in its range.
   */
  watch(table: string): () => Mark
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
