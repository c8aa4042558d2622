import { Statements, type Connection } from './connection.js'
import { asFailure } from './failure.js'

/** The most writes that share one commit, so that none waits long. */
const LARGEST_GROUP = 256

interface Job {
  run: () => unknown
  /** Whether it is one statement, which SQLite undoes by itself when it fails. */
  isStatement: boolean
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Commits the writes of one event-loop turn together: one wait for the disk instead of one for each. A write resolves
 * only after the commit that holds it; one that fails is undone alone; when the commit fails, all of its writes reject.
 */
export class GroupCommit {
  readonly #connection: Connection
  readonly #check: () => void
  readonly #onCommit: () => void
  readonly #statements: Statements
  #waiting: Job[] = []
  #running: Promise<void> | undefined

  /**
   * `check` throws when nothing may be committed any more; `onCommit` is called after each commit, failed or
   * not, before its writes resolve.
   */
  constructor (connection: Connection, check: () => void, onCommit = (): void => {}) {
    this.#connection = connection
    this.#check = check
    this.#onCommit = onCommit
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
      this.#waiting.push({ run, isStatement, resolve: resolve as (result: unknown) => void, reject })
      this.#running ??= this.#drain()
    })
  }

  /** Resolves when every write added so far has its outcome. */
  async idle (): Promise<void> {
    await this.#running
  }

  async #drain (): Promise<void> {
    while (this.#waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      await this.#commit(this.#waiting.splice(0, LARGEST_GROUP))
    }
    this.#running = undefined
  }

  async #commit (group: Job[]): Promise<void> {
    const settlements: (() => void)[] = []
    try {
      this.#check()
      this.#statements.run('BEGIN IMMEDIATE')
      for (const job of group) {
        settlements.push(job.isStatement ? this.#runStatement(job) : await this.#runSeveral(job))
      }
      this.#statements.run('COMMIT')
      this.#onCommit()
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
      this.#onCommit()
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
      this.#connection.exec('ROLLBACK TO job; RELEASE job')
      return () => job.reject(asFailure(error))
    }
  }
}
