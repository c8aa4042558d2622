/**
 * The kinds of work that a database does. `other` is what belongs to a transaction, such as a savepoint; `upkeep` is
 * what a server does by itself, for no request.
 */
export const STORAGE_OPERATIONS = ['select', 'insert', 'update', 'delete', 'transaction', 'other', 'upkeep'] as const

/** A piece of work of the storage: one statement, or a whole transaction with the statements in it. */
export interface StorageWork {
  engine: 'sqlite' | 'postgresql'
  operation: (typeof STORAGE_OPERATIONS)[number]
}

/** Observes the work of the storage, to measure or to trace it. It changes neither the work nor its outcome. */
export interface StorageObserver {
  /** Runs a piece of work, and returns its result. */
  during<Result>(work: StorageWork, run: () => Promise<Result>): Promise<Result>
  /** Is told how many writes a commit of SQLite held. */
  committed?(writes: number): void
  /** Is told how many seconds a write of SQLite has waited for the lock that another program held, in vain or not. */
  waitedForLock?(seconds: number): void
}

/** How many connections to a database server there are, and how many requests wait for one. */
export interface PoolState {
  idle: number
  busy: number
  waiting: number
}
