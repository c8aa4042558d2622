import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database, Queries } from './database.js'

/** A database in which repositories that know nothing of one another can write in one transaction. */
export interface AtomicDatabase extends Database {
  /**
   * Runs the work in one transaction, in which everything takes part that is asked of this database while the work
   * lasts and because of it, by whatever repository: what {@link Database.transaction} says of its work holds for this.
   * On SQLite other writes wait meanwhile, and on PostgreSQL those that want the same rows or a connection, so the work
   * may wait for nothing but this database.
   */
  atomically<Result>(work: () => Promise<Result>): Promise<Result>
}

interface Unit {
  queries: Queries
  open: boolean
}

/** Gives any database its units of work: a transaction inside one is a part of it that can be undone alone. */
export function atomic (database: Database): AtomicDatabase {
  const units = new AsyncLocalStorage<Unit>()
  let openUnits = 0
  // What goes on after its unit has ended is no part of it.
  const current = (): Queries | undefined => {
    const unit = units.getStore()
    return unit?.open ? unit.queries : undefined
  }
  const transaction: Database['transaction'] = (work) => {
    const queries = current()
    return queries ? withSavepoint(queries, work) : database.transaction(work)
  }
  return {
    get local () {
      return current() ? undefined : database.local
    },
    upkeep: database.upkeep,
    read: (sql, values) => (current() ?? database).read(sql, values),
    write: (sql, values) => (current() ?? database).write(sql, values),
    transaction,
    atomically (work) {
      // The database may run this from within another caller's write.
      const asCaller = AsyncLocalStorage.snapshot()
      return transaction(async (queries) => {
        const unit = { queries, open: true }
        openUnits++
        try {
          return await asCaller(() => units.run(unit, work))
        } finally {
          unit.open = false
          openUnits--
          // While it is enabled, Node 20 and 22 look after it in everything asynchronous of the process.
          if (openUnits === 0) units.disable()
        }
      })
    },
    pool: () => database.pool?.(),
    ping: () => database.ping(),
    close: () => database.close()
  }
}

/** Runs the work so that it can be undone alone within the transaction of these queries. */
async function withSavepoint<Result> (
  queries: Queries,
  work: (queries: Queries) => Promise<Result>
): Promise<Result> {
  await queries.write('SAVEPOINT part')
  try {
    const result = await work(queries)
    await queries.write('RELEASE SAVEPOINT part')
    return result
  } catch (error) {
    // There is no savepoint any more where the database itself has undone the whole transaction, as SQLite does on a
    // full disk.
    await queries.write('ROLLBACK TO SAVEPOINT part').catch(() => {})
    throw error
  }
}
