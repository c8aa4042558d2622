import { AsyncLocalStorage } from 'node:async_hooks'
import type { StorageObserver, StorageWork } from '../../domain/storage/observer.js'
import type { Database, Queries } from './database.js'

type Operation = StorageWork['operation']
type Around = <Result>(operation: Operation, run: () => Promise<Result>) => Promise<Result>

const OPERATIONS: Record<string, Operation> = {
  SELECT: 'select',
  INSERT: 'insert',
  UPDATE: 'update',
  DELETE: 'delete'
}

/** Gives a database that does the same, while an observer is told of each statement and transaction. */
export function observed (database: Database, engine: StorageWork['engine'], observer: StorageObserver): Database {
  const around: Around = (operation, run) => observer.during({ engine, operation }, run)
  return {
    ...observedQueries(database, around),
    local: database.local,
    upkeep: observedUpkeep(database, around),
    transaction: (work) =>
      around('transaction', () => {
        // SQLite may run the work from within another caller's write.
        const asCaller = AsyncLocalStorage.snapshot()
        return database.transaction((queries) => asCaller(() => work(observedQueries(queries, around))))
      }),
    ping: () => database.ping(),
    pool: () => database.pool?.(),
    close: () => database.close()
  }
}

/** Here a transaction is one piece of work, with all the statements in it. */
function observedUpkeep (database: Database, around: Around): Database {
  return {
    local: database.local,
    read: (sql, values) => around('upkeep', () => database.read(sql, values)),
    write: (sql, values) => around('upkeep', () => database.write(sql, values)),
    transaction: (work) => around('upkeep', () => database.transaction(work)),
    ping: () => database.ping(),
    close: () => database.close()
  }
}

function observedQueries (queries: Queries, around: Around): Queries {
  return {
    read: (sql, values) => around(operationOf(sql), () => queries.read(sql, values)),
    write: (sql, values) => around(operationOf(sql), () => queries.write(sql, values))
  }
}

function operationOf (sql: string): Operation {
  return OPERATIONS[/\w+/.exec(sql)?.[0].toUpperCase() ?? ''] ?? 'other'
}
