import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { StorageObserver } from '../../../domain/storage/observer.js'
import { Statements, type Connection } from './connection.js'
import { asFailure, temporaryCode } from './failure.js'

/** The most writes that share one commit, so that none waits long. */
const LARGEST_GROUP = 256
/** How long writes that go on arriving are gathered for one commit, in milliseconds. */
const GATHERING = 5
/** Milliseconds between two looks whether another program has let go of the lock for writing. */
const LOCK_INTERVAL = 2

interface Job {
  run: () => unknown
  /** Whether it is one statement, which SQLite undoes by itself when it fails. */
  isStatement: boolean
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
  /** When it was added. */
  since: number
}

export interface GroupCommitOptions {
  /** Throws when nothing may be committed any more. */
  check: () => void
  /** How long a write may wait for the lock that another program holds, in milliseconds. */
  patience: number
  /** Is called after each commit, failed or not, before its writes resolve. */
  onCommit?: () => void
  observer?: StorageObserver | undefined
}

/**
 * Commits the writes of one event-loop turn together, and those of the turns right after it: one wait for the disk
 * instead of one for each. A write resolves only after the commit that holds it; one that fails is undone alone; when
 * the commit fails, all of its writes reject. While another program holds the lock for writing, writes wait and
 * everything else goes on.
 */
export class GroupCommit {
  readonly #connection: Connection
  readonly #options: GroupCommitOptions
  readonly #statements: Statements
  #waiting: Job[] = []
  #running: Promise<void> | undefined
  #isFailing = false
  /** Whether another program held the lock when it was last asked for. */
  #isLocked = false

  constructor (connection: Connection, options: GroupCommitOptions) {
    this.#connection = connection
    this.#options = options
    this.#statements = new Statements(connection)
  }

  /** Runs the write inside a coming commit. */
  add<Result>(run: () => Promise<Result>): Promise<Result> {
    return this.#add(run, false)
  }

  /** Runs one statement inside a coming commit. */
  addStatement<Result>(run: () => Result): Promise<Result> {
    return this.#add(run, true)
  }

  #add<Result>(run: () => Result | Promise<Result>, isStatement: boolean): Promise<Result> {
    return new Promise((resolve, reject) => {
      const since = performance.now()
      this.#waiting.push({ run, isStatement, resolve: resolve as (result: unknown) => void, reject, since })
      this.#running ??= this.#drain()
    })
  }

  /** Whether the newest writes failed since the database cannot write now. */
  get isFailing (): boolean {
    return this.#isFailing
  }

  /** Resolves when every write added so far has its outcome. */
  async idle (): Promise<void> {
    await this.#running
  }

  async #drain (): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather()
      const failure = this.#begin()
      if (failure === undefined) await this.#commit(this.#waiting.splice(0, LARGEST_GROUP))
      else if (temporaryCode(failure) === 'SQLITE_BUSY') await this.#waitForLock(failure)
      else this.#refuse(this.#waiting.splice(0), failure)
    }
    this.#isLocked = false
    this.#running = undefined
  }

  /** Waits for the writes of this turn, and of the next ones until one brings none, there are enough, or time is up. */
  async #gather (): Promise<void> {
    const end = performance.now() + GATHERING
    await nextTurn()
    let before: number
    do {
      before = this.#waiting.length
      await nextTurn()
    } while (this.#waiting.length > before && before < LARGEST_GROUP && performance.now() < end)
  }

  /** Begins a transaction, or gives what stands against that. */
  #begin (): unknown {
    try {
      this.#options.check()
      this.#statements.run('BEGIN IMMEDIATE')
      if (this.#isLocked) for (const job of this.#waiting) this.#tellLockWait(job)
      this.#isLocked = false
      return undefined
    } catch (error) {
      return error
    }
  }

  /** Waits a moment, and then refuses the writes that have waited long enough, the oldest first. */
  async #waitForLock (busy: unknown): Promise<void> {
    this.#isLocked = true
    await sleep(LOCK_INTERVAL)
    const latest = performance.now() - this.#options.patience
    while (this.#waiting.length > 0 && this.#waiting[0]!.since <= latest) {
      const job = this.#waiting.shift()!
      this.#tellLockWait(job)
      this.#refuse([job], busy)
    }
  }

  #tellLockWait ({ since }: Job): void {
    this.#options.observer?.waitedForLock?.((performance.now() - since) / 1000)
  }

  #refuse (jobs: Job[], cause: unknown): void {
    this.#isFailing = true
    for (const job of jobs) job.reject(asFailure(cause))
  }

  async #commit (group: Job[]): Promise<void> {
    const settlements: (() => void)[] = []
    this.#isFailing = false
    try {
      for (const job of group) {
        settlements.push(job.isStatement ? this.#runStatement(job) : await this.#runSeveral(job))
      }
      this.#statements.run('COMMIT')
      this.#options.observer?.committed?.(group.length)
      this.#options.onCommit?.()
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
      this.#options.onCommit?.()
      this.#isFailing = temporaryCode(error) !== undefined
      for (const job of group) job.reject(asFailure(error))
      return
    }
    for (const settle of settlements) settle()
  }

  #runStatement (job: Job): () => void {
    try {
      const result = job.run()
      return () => job.resolve(result)
    } catch (error) {
      if (!this.#connection.isTransaction) throw error
      this.#isFailing ||= temporaryCode(error) !== undefined
      return () => job.reject(asFailure(error))
    }
  }

  async #runSeveral (job: Job): Promise<() => void> {
    this.#statements.run('SAVEPOINT job')
    try {
      const result = await job.run()
      this.#statements.run('RELEASE job')
      return () => job.resolve(result)
    } catch (error) {
      // A full disk, for one, makes SQLite undo the whole transaction by itself; then nobody's write is in it.
      if (!this.#connection.isTransaction) throw error
      this.#isFailing ||= temporaryCode(error) !== undefined
      this.#connection.exec('ROLLBACK TO job; RELEASE job')
      return () => job.reject(asFailure(error))
    }
  }
}
