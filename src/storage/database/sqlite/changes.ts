import type { Listener } from '../database.js'
import type { Connection } from './connection.js'

/** Each kind of change, and where its row stands in a trigger. */
const KINDS = { INSERT: 'new', UPDATE: 'new', DELETE: 'old' }

/**
 * Tells which rows of a database file have changed. SQLite itself says which the commits of its one server touch, by
 * triggers that live only on the writing connection; of a commit by another process it says only that there was one.
 */
export class Changes {
  readonly #connection: Connection
  readonly #version: () => unknown
  readonly #listeners = new Map<string, Listener[]>()
  #changed: [listeners: readonly Listener[], id: number][] = []
  #seen: unknown
  #isCurrent = false

  constructor (writer: Connection) {
    this.#connection = writer
    writer.exec('PRAGMA temp_store = MEMORY')
    const statement = writer.prepare('PRAGMA data_version')
    this.#version = () => (statement.get() as { data_version: number }).data_version
    this.#seen = this.#version()
  }

  /** Has the listener told of every change of a table whose rows have an integer `id`, or only that there was one. */
  watch (table: string, listener: Listener): void {
    const others = this.#listeners.get(table)
    if (others) {
      others.push(listener)
      return
    }
    const listeners = [listener]
    this.#listeners.set(table, listeners)
    this.#connection.function(`${table}_changed`, { directOnly: false }, (id: number) => {
      this.#changed.push([listeners, id])
      return null
    })
    for (const [kind, row] of Object.entries(KINDS)) {
      // As a REAL, since the driver would throw for an integer that no number holds; it is rounded to the nearest.
      const id = `CAST(${row}.rowid AS REAL)`
      this.#connection.exec(
        `CREATE TEMP TRIGGER ${table}_${kind} AFTER ${kind} ON main.${table} BEGIN SELECT ${table}_changed(${id}); END`
      )
    }
  }

  /** Tells of what a commit of this process has changed. To be called right after it, before its writes resolve. */
  publish (): void {
    const changed = this.#changed
    this.#changed = []
    for (const [listeners, id] of changed) for (const listener of listeners) listener(id)
    this.#isCurrent = false
  }

  /**
   * Tells of what other processes have committed. They are asked once for all that is done at a stretch: a request of
   * somebody who was told by another process of its commit is not read before that is over.
   */
  catchUp (): void {
    if (this.#isCurrent) return
    this.catchUpNow()
    this.#isCurrent = true
    process.nextTick(this.#expire)
  }

  /** The same whenever it was asked before. Gives whether there was something to tell. */
  catchUpNow (): boolean {
    const version = this.#version()
    if (version === this.#seen) return false
    this.#seen = version
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener()
    return true
  }

  readonly #expire = (): void => {
    this.#isCurrent = false
  }
}
