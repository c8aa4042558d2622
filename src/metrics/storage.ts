import { Counter, Histogram, type Registry } from 'prom-client'
import { StorageUnavailable } from '../domain/errors.js'
import { STORAGE_OPERATIONS, type StorageObserver, type StorageWork } from '../domain/storage/observer.js'

/** Upper bounds in seconds: from a read of what SQLite has in memory to a query that is given up. */
const DURATION_BUCKETS = [0.00001, 0.000025, 0.0001, 0.00025, 0.001, 0.0025, 0.01, 0.025, 0.1, 0.25, 1, 2.5]
const COMMIT_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const LOCK_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2]

/** Measures the work of the storage. All series start at zero. */
export class StorageMetrics implements StorageObserver {
  readonly #duration: Histogram<'engine' | 'operation'>
  readonly #failures: Counter<'engine' | 'operation'>
  readonly #commits: Histogram | undefined
  readonly #locks: Histogram | undefined

  constructor (registry: Registry, engine: StorageWork['engine']) {
    const registers = [registry]
    this.#duration = new Histogram({
      name: 'petstore_storage_duration_seconds',
      help: 'Time of statements and transactions, the wait for a connection or a commit included, by operation and engine.',
      labelNames: ['engine', 'operation'],
      buckets: DURATION_BUCKETS,
      registers
    })
    this.#failures = new Counter({
      name: 'petstore_storage_failures_total',
      help: 'Statements and transactions that failed for want of the database, by operation and engine.',
      labelNames: ['engine', 'operation'],
      registers
    })
    for (const operation of STORAGE_OPERATIONS) {
      this.#duration.zero({ engine, operation })
      this.#failures.inc({ engine, operation }, 0)
    }
    if (engine !== 'sqlite') return
    this.#commits = new Histogram({
      name: 'petstore_commit_writes',
      help: 'Writes that share a commit of SQLite, and so one wait for the disk.',
      buckets: COMMIT_BUCKETS,
      registers
    })
    this.#locks = new Histogram({
      name: 'petstore_lock_wait_seconds',
      help: 'Waits of writes for the lock of SQLite that another program held, in vain or not.',
      buckets: LOCK_BUCKETS,
      registers
    })
  }

  async during<Result> (work: StorageWork, run: () => Promise<Result>): Promise<Result> {
    const start = performance.now()
    try {
      return await run()
    } catch (error) {
      // A transaction fails, too, when what it was asked for is refused.
      if (error instanceof StorageUnavailable) this.#failures.inc({ ...work })
      throw error
    } finally {
      this.#duration.observe({ ...work }, (performance.now() - start) / 1000)
    }
  }

  committed (writes: number): void {
    this.#commits?.observe(writes)
  }

  waitedForLock (seconds: number): void {
    this.#locks?.observe(seconds)
  }
}
