import type { Clock } from '../../domain/clock.js'
import { upkeepOf, type Database } from '../database/database.js'
import { SingleFlight } from '../scheduling/single-flight.js'
import type { LocalUsage } from './local.js'
import type { RedisCounters } from './redis/counters.js'
import { raiseCounts, readCounts } from './table.js'

/** Keys that are told of at a time. */
const BATCH = 500

/** Brings the counts that this server, Redis and the database know of up to each other's. */
export class Reports {
  readonly #local: LocalUsage
  readonly #counters: RedisCounters
  readonly #database: Database
  readonly #clock: Clock
  /** Keys whose saved counts this server has read since Redis was lost. */
  readonly #loaded = new Set<string>()
  #saving = Promise.resolve()

  // Single flight, so that a storm of one key does not keep the database from the others.
  readonly #restoring = new SingleFlight((keyId) => this.#report([keyId], { admissions: false }))
  readonly #loading = new SingleFlight(async (keyId) => {
    await this.#load([keyId])
    this.#loaded.add(keyId)
  })

  constructor (local: LocalUsage, counters: RedisCounters, database: Database, clock: Clock) {
    this.#local = local
    this.#counters = counters
    this.#database = database
    this.#clock = clock
  }

  /** Adds to the counters in Redis what this server admitted by itself. */
  async reportAdmissions (): Promise<void> {
    await this.#report(this.#local.unreportedKeys(), { admissions: true })
  }

  /** Gives Redis all counters back that it may have lost, but for what servers admitted by themselves. */
  async restoreAllInRedis (): Promise<void> {
    await this.#report(this.#local.keysToRestore(), { admissions: false })
  }

  /** Gives Redis the counters of a key back. */
  async restoreInRedis (keyId: string): Promise<void> {
    await this.#restoring.join(keyId)
  }

  /** Reads the saved counts of a key. */
  async load (keyId: string): Promise<void> {
    await this.#loading.join(keyId)
  }

  /** Whether the saved counts of a key were read since Redis was lost. */
  isLoaded (keyId: string): boolean {
    return this.#loaded.has(keyId)
  }

  /** Makes this server read all saved counts anew. */
  forgetLoaded (): void {
    this.#loaded.clear()
  }

  /**
   * Saves in the database what it does not know; at the end also what Redis was not told. Saves come one after the
   * other, so that when one has ended all that was known before is there.
   */
  save (options: { end: boolean }): Promise<void> {
    const save = this.#saving.catch(() => {}).then(() => this.#save(options))
    this.#saving = save
    return save
  }

  async #save (options: { end: boolean }): Promise<void> {
    const unsaved = [...this.#local.takeUnsaved(this.#clock.now(), options)]
    try {
      for (let from = 0; from < unsaved.length; from += BATCH) {
        await raiseCounts(upkeepOf(this.#database), new Map(unsaved.slice(from, from + BATCH)))
      }
    } catch (error) {
      this.#local.noteUnsaved(unsaved.map(([keyId]) => keyId))
      throw error
    }
  }

  /**
   * Tells Redis what this server and the database know of these keys: it raises its counters to that. What servers
   * admitted by themselves is added to the raised counters, so it is reported only when all have told the rest.
   */
  async #report (keyIds: string[], options: { admissions: boolean }): Promise<void> {
    for (let from = 0; from < keyIds.length; from += BATCH) {
      const batch = keyIds.slice(from, from + BATCH)
      await this.#load(batch)
      await Promise.all(
        batch.map(async (keyId) => {
          const report = this.#local.reportOf(keyId, this.#clock.now(), options)
          this.#local.noteReported(keyId, report, await this.#counters.report(keyId, report))
        })
      )
    }
  }

  async #load (keyIds: string[]): Promise<void> {
    const now = this.#clock.now()
    for (const [keyId, counts] of await readCounts(this.#database, keyIds, now)) {
      this.#local.noteSaved(keyId, now, counts)
    }
  }
}
