import { Counter, type Registry } from 'prom-client'
import { StorageUnavailable } from '../domain/errors.js'
import { STORAGE_OPERATIONS, type StorageObserver, type StorageWork } from '../domain/storage/observer.js'
import { Histogram, type Observations } from './histogram.js'

/** Upper bounds in seconds: from a read of what SQLite has in memory to a query that is given up. */
const WORK_BOUNDS = [0.00001, 0.000025, 0.0001, 0.00025, 0.001, 0.0025, 0.01, 0.025, 0.1, 0.25, 1, 2.5]
const COMMIT_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const LOCK_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2]

/** Measures the work of the storage as it is told of it. */
export class StorageMetrics implements StorageObserver {
  readonly #work: Map<string, Observations>
  readonly #failures: Counter<'engine' | 'operation'>
  readonly #commits: Observations | undefined
  readonly #locks: Observations | undefined

  constructor (registry: Registry, engine: StorageWork['engine']) {
    const duration = new Histogram({
      name: 'petstore_storage_duration_seconds',
      help: 'Time of statements and transactions, the wait for a connection or a commit included, by operation and engine.',
      bounds: WORK_BOUNDS,
      registry
    })
    this.#work = new Map(STORAGE_OPERATIONS.map((operation) => [operation, duration.add({ engine, operation })]))
    this.#failures = new Counter({
      name: 'petstore_storage_failures_total',
      help: 'Statements and transactions that failed for want of the database, by operation and engine.',
      labelNames: ['engine', 'operation'],
      registers: [registry]
    })
    for (const operation of STORAGE_OPERATIONS) this.#failures.inc({ engine, operation }, 0)
    if (engine !== 'sqlite') return
    this.#commits = new Histogram({
      name: 'petstore_commit_writes',
      help: 'Writes that share a commit of SQLite, and so one wait for the disk.',
      bounds: COMMIT_BOUNDS,
      registry
    }).add({})
    this.#locks = new Histogram({
      name: 'petstore_lock_wait_seconds',
      help: 'Waits of writes for the lock of SQLite that another program held, in vain or not.',
      bounds: LOCK_BOUNDS,
      registry
    }).add({})
  }

  during<Result> (work: StorageWork, run: () => Result): Result {
    const start = performance.now()
    let result: Result
    try {
      result = run()
    } catch (error) {
      this.#fail(work, start, error)
      throw error
    }
    // Whoever asked gets the promise of the work itself.
    if (result instanceof Promise) {
      result.then(
        () => this.#end(work, start),
        (error) => this.#fail(work, start, error)
      )
    } else this.#end(work, start)
    return result
  }

  #end ({ operation }: StorageWork, start: number): void {
    this.#work.get(operation)!.observe((performance.now() - start) / 1000)
  }

  #fail (work: StorageWork, start: number, error: unknown): void {
    this.#end(work, start)
    // A transaction fails, too, when what it was asked for is refused.
    if (error instanceof StorageUnavailable) this.#failures.inc({ ...work })
  }

  committed (writes: number): void {
    this.#commits?.observe(writes)
  }

  waitedForLock (seconds: number): void {
    this.#locks?.observe(seconds)
  }
}
