import { randomUUID } from 'node:crypto'
import { StorageUnavailable } from '../../domain/errors.js'
import { repeat } from '../scheduling/interval.js'
import type { Membership } from './local.js'
import type { RedisCounters } from './redis/counters.js'
import type { Reports } from './reports.js'

/** How often a server shows that it is there, and looks whether Redis is back, in milliseconds. */
const BEAT = 100
/**
 * How long servers go on by themselves once they reach Redis again, in milliseconds: by then the last of them has
 * reached it, too.
 */
const RETURN = 350
/**
 * How long servers that Redis has not heard of still count, in milliseconds: one that has lost its memory hears of them
 * again sooner.
 */
const ABSENCE = 3_000

/**
 * How a server counts:
 * - `exact`: Redis decides on every request. The first command that fails makes it `lost`.
 * - `lost`: the server decides by itself. As soon as a beat reaches Redis, it raises the counters there to what is
 *   known here and in the database, because they may be gone or old, and is `returning`.
 * - `returning`: the server still decides by itself, until the others have raised the counters, too. Then it adds what
 *   it admitted by itself, and is `exact`. A command that fails makes it `lost` again.
 */
type State = 'exact' | 'lost' | 'returning'

/** Told once when Redis is lost, with the cause, and once when it decides again. */
export type OnChange = (degraded: boolean, cause?: Error) => void

/** The state of a server's link to Redis, and the beat that changes it. */
export class RedisLink {
  readonly #server: string
  readonly #counters: RedisCounters
  readonly #reports: Reports
  readonly #onChange: OnChange
  readonly #endBeat: () => Promise<void>
  #state: State = 'exact'
  #membership: Membership
  /** When Redis last knew of as many servers as `#membership`, by `performance.now()`. */
  #completeAt = performance.now()
  /** When Redis was reached again, by `performance.now()`. */
  #reachedAt = 0

  private constructor (
    server: string,
    membership: Membership,
    counters: RedisCounters,
    reports: Reports,
    onChange: OnChange
  ) {
    this.#server = server
    this.#membership = membership
    this.#counters = counters
    this.#reports = reports
    this.#onChange = onChange
    this.#endBeat = repeat(BEAT, () => this.#beat())
  }

  /**
   * Makes this process one of the servers that count together.
   * @throws {RedisFailure} when Redis cannot be asked
   */
  static async join (counters: RedisCounters, reports: Reports, onChange: OnChange): Promise<RedisLink> {
    const server = randomUUID()
    return new RedisLink(server, await counters.heartbeat(server), counters, reports, onChange)
  }

  /** Whether Redis decides on requests, and not this server by itself. */
  get exact (): boolean {
    return this.#state === 'exact'
  }

  /** The servers that count, as Redis last knew them. */
  get membership (): Membership {
    return this.#membership
  }

  /** Makes this server decide by itself, because Redis cannot be asked. */
  lose (cause: Error): void {
    const before = this.#state
    this.#state = 'lost'
    if (before !== 'exact') return
    this.#reports.forgetLoaded()
    this.#onChange(true, cause)
  }

  /** Ends the beat, and takes this server out of the count of servers. */
  async leave (): Promise<void> {
    await this.#endBeat()
    await this.#counters.leave(this.#server).catch(() => {})
  }

  async #beat (): Promise<void> {
    const before = this.#state
    try {
      const membership = await this.#counters.heartbeat(this.#server)
      const next = await this.#steps[before](membership)
      if (this.#state === before) this.#enter(next)
    } catch (error) {
      // A fault of our own costs the exact count, too, and not the server; what it was stands in the log.
      if (!(error instanceof StorageUnavailable)) this.lose(error as Error)
    }
  }

  /** What a beat that reaches Redis does in each state, and the state that follows. */
  readonly #steps: Record<State, (membership: Membership) => Promise<State>> = {
    exact: async (membership) => {
      this.#noteMembership(membership)
      await this.#reports.reportAdmissions()
      return 'exact'
    },
    lost: async () => {
      await this.#reports.restoreAllInRedis()
      this.#reachedAt = performance.now()
      return 'returning'
    },
    returning: async () => {
      if (performance.now() - this.#reachedAt < RETURN) return 'returning'
      await this.#reports.reportAdmissions()
      return 'exact'
    }
  }

  #enter (next: State): void {
    const before = this.#state
    this.#state = next
    if (next === 'exact' && before !== 'exact') this.#onChange(false)
  }

  #noteMembership (found: Membership): void {
    const fewer = found.servers < this.#membership.servers
    if (fewer && performance.now() - this.#completeAt < ABSENCE) return
    this.#membership = found
    this.#completeAt = performance.now()
  }
}
