import type { IsCurrent } from '../../../domain/snapshot.js'
import type { Mark } from '../database.js'
import type { Connection } from './connection.js'
import { orFailure } from './failure.js'

/** Each kind of change, and the name that a trigger has for its row. */
const KINDS = { INSERT: 'new', UPDATE: 'new', DELETE: 'old' }

/** How many changes of a table are remembered. What was read before them counts as changed. */
const LOG_LENGTH = 4_096

/** The ids of the rows of one table that have changed last. */
class ChangeLog {
  readonly #ids = new Float64Array(LOG_LENGTH)
  /** How many changes there have been. */
  length = 0

  add (id: number): void {
    this.#ids[this.length++ % LOG_LENGTH] = id
  }

  /** Counts every row as changed. */
  addAll (): void {
    this.length += LOG_LENGTH + 1
  }

  /** Returns how many changes from `position` on are of ids outside of a range. */
  skip (position: number, first: number, last: number): number {
    if (this.length - position > LOG_LENGTH) return 0
    let skipped = 0
    while (position + skipped < this.length) {
      const id = this.#ids[(position + skipped) % LOG_LENGTH]!
      if (id >= first && id <= last) return skipped
      skipped++
    }
    return skipped
  }
}

/**
 * Tells whether rows of a database file have changed. For the commits of this process, SQLite names the rows, by
 * triggers that exist on the writing connection only; of a commit by another process it tells only that there was one
 * (`PRAGMA data_version`).
 */
export class Changes {
  readonly #connection: Connection
  readonly #version: () => unknown
  readonly #logs = new Map<string, ChangeLog>()
  #uncommitted: [log: ChangeLog, id: number][] = []
  #seen: unknown
  #isCurrent = false

  constructor (writer: Connection) {
    this.#connection = writer
    writer.exec('PRAGMA temp_store = MEMORY')
    const statement = writer.prepare('PRAGMA data_version')
    this.#version = () => (statement.get() as { data_version: number }).data_version
    this.#seen = this.#version()
  }

  /** Returns a function that marks the present state of a table; see {@link Mark}. */
  watch (table: string): () => Mark {
    const log = this.#logs.get(table) ?? this.#record(table)
    return () => {
      this.#catchUp()
      const marked = log.length
      return (first, last) => this.#unchanged(log, marked, Number(first), Number(last))
    }
  }

  #unchanged (log: ChangeLog, position: number, first: number, last: number): IsCurrent {
    return () => {
      this.#catchUp()
      position += log.skip(position, first, last)
      return position === log.length
    }
  }

  #record (table: string): ChangeLog {
    const log = new ChangeLog()
    this.#logs.set(table, log)
    this.#connection.function(`${table}_changed`, { directOnly: false }, (id: number) => {
      this.#uncommitted.push([log, id])
      return null
    })
    for (const [kind, row] of Object.entries(KINDS)) {
      // As a REAL, since the driver throws for an integer that no number holds. Rounding keeps the order of ids.
      const id = `CAST(${row}.rowid AS REAL)`
      this.#connection.exec(
        `CREATE TEMP TRIGGER ${table}_${kind} AFTER ${kind} ON main.${table} BEGIN SELECT ${table}_changed(${id}); END`
      )
    }
    return log
  }

  /** Records what a commit of this process has changed. Must be called right after it, before its writes resolve. */
  publish (): void {
    const changed = this.#uncommitted
    this.#uncommitted = []
    for (const [log, id] of changed) log.add(id)
    this.#isCurrent = false
  }

  /**
   * Records the commits of other processes. SQLite is asked once for all that runs without a break: a request of
   * somebody whom another process told of its commit is not read before that is over.
   */
  #catchUp (): void {
    if (this.#isCurrent) return
    const version = orFailure(this.#version)
    this.#isCurrent = true
    process.nextTick(this.#expire)
    if (version === this.#seen) return
    this.#seen = version
    for (const log of this.#logs.values()) log.addAll()
  }

  readonly #expire = (): void => {
    this.#isCurrent = false
  }
}
