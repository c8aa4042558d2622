import { randomUUID } from 'node:crypto'
import { decide, type Decision, type MeteredKey } from '../../domain/usage.js'
import { DAY, windowStart } from '../../domain/windows.js'
import { LENGTHS, WINDOWS, type Count, type Counts, type WindowName } from './table.js'

/**
 * What a key used in the current windows, its refusals in the current minute, and the time by the clock of the
 * counters.
 */
export interface Charged {
  at: number
  used: Record<WindowName, number>
  strikes: number
}

export interface Decided extends Charged {
  decision: Decision
}

/**
 * A window of a key: what was used by the word of the shared counters and of the database, and what more was admitted
 * here that they do not know of. The debt is a name for that which is used once, so that who is told of it twice counts
 * it once.
 */
export interface Known extends Count {
  more: number
  debt: string
}

interface State extends Record<WindowName, Known> {
  /** Refusals here in the current minute. */
  strikes: number
}

/** Which of how many servers this one is, from 0. */
export interface Place {
  servers: number
  place: number
}

/**
 * What one of several servers knows of the counters that they share. While those are out of reach it admits by itself a
 * share of what was left of each limit when it last knew; the shares of all servers add up to the limit, so that no
 * window sees more than twice it.
 */
export class LocalUsage {
  readonly #states = new Map<string, State>()
  /** Keys of which the database does not know what the shared counters said. */
  readonly #fresh = new Set<string>()
  /** Keys of which the shared counters do not know what was admitted here. */
  readonly #owing = new Set<string>()
  readonly #name = randomUUID()
  #debts = 0

  /** Takes note of what the shared counters said. */
  learn (keyId: string, { at, used }: Charged, admitted: boolean): void {
    const state = this.#stateOf(keyId, at)
    for (const name of WINDOWS) state[name].used = Math.max(state[name].used, used[name] + Number(admitted))
    if (admitted) this.#fresh.add(keyId)
  }

  /** Takes note of what the database has of a key. */
  remember (keyId: string, now: number, counts: Counts): void {
    const state = this.#stateOf(keyId, now)
    for (const name of WINDOWS) {
      if (counts[name].start === state[name].start) state[name].used = Math.max(state[name].used, counts[name].used)
    }
  }

  /** Decides by itself. */
  charge (key: MeteredKey, now: number, place: Place): Decided {
    const state = this.#stateOf(key.id, now)
    const limits = { minute: key.quota.perMinute, day: key.quota.perDay }
    const usedOf = (name: WindowName): number => {
      const { used, more } = state[name]
      return limits[name] - Math.max(0, shareOf(Math.max(0, limits[name] - used), place) - more)
    }
    const used = { minute: usedOf('minute'), day: usedOf('day') }
    const decision = decide(key, used, now)
    if (decision.verdict === 'admitted') {
      for (const name of WINDOWS) state[name].more++
      this.#owing.add(key.id)
    }
    if (decision.verdict === 'limited') state.strikes++
    return { at: now, used, strikes: state.strikes, decision }
  }

  /**
   * The keys of which the shared counters are to be told; when they may have lost their memory, also what the database
   * does not know yet.
   */
  owed (forgotten: boolean): string[] {
    return [...(forgotten ? new Set([...this.#owing, ...this.#fresh]) : this.#owing)]
  }

  /** What the shared counters are to be told of a key: what was used, or what more was admitted here as well. */
  known (keyId: string, now: number, debts: boolean): Record<WindowName, Known> {
    const { minute, day } = this.#stateOf(keyId, now)
    const told = (known: Known): Known => (debts ? { ...known } : { ...known, more: 0, debt: '' })
    return { minute: told(minute), day: told(day) }
  }

  /**
   * Takes note that the shared counters were told this, and of what they said then. What was admitted meanwhile is
   * another debt.
   */
  settle (keyId: string, told: Record<WindowName, Known>, said: Charged): void {
    this.learn(keyId, said, false)
    if (told.day.more > 0) this.#fresh.add(keyId)
    const state = this.#stateOf(keyId, said.at)
    for (const name of WINDOWS) {
      const known = state[name]
      if (known.debt === told[name].debt) {
        Object.assign(known, { more: known.more - told[name].more, debt: this.#nextDebt() })
      }
    }
    if (state.day.more === 0) this.#owing.delete(keyId)
  }

  /**
   * What the shared counters said and the database has not been told; in the end also what they were not told
   * themselves, which would count twice if it came to them from both. Forgets keys that were not used today.
   */
  news (now: number, end: boolean): Map<string, Counts> {
    const news = new Map<string, Counts>()
    const total = ({ start, used, more }: Known): Count => ({ start, used: used + (end ? more : 0) })
    for (const keyId of end ? this.owed(true) : this.#fresh) {
      const { minute, day } = this.#states.get(keyId)!
      news.set(keyId, { minute: total(minute), day: total(day) })
    }
    for (const [keyId, { day }] of this.#states) {
      if (day.start >= windowStart(now, DAY) || this.#fresh.has(keyId)) continue
      this.#states.delete(keyId)
      this.#owing.delete(keyId)
    }
    this.#fresh.clear()
    return news
  }

  /** The database was not told after all. */
  unheard (news: Iterable<string>): void {
    for (const keyId of news) if (this.#states.has(keyId)) this.#fresh.add(keyId)
  }

  /** Begins the windows anew in which `now` lies. */
  #stateOf (keyId: string, now: number): State {
    let state = this.#states.get(keyId)
    if (!state) {
      state = { minute: this.#begun(0), day: this.#begun(0), strikes: 0 }
      this.#states.set(keyId, state)
    }
    for (const name of WINDOWS) {
      const start = windowStart(now, LENGTHS[name])
      if (state[name].start >= start) continue
      state[name] = this.#begun(start)
      if (name === 'minute') state.strikes = 0
    }
    return state
  }

  #begun (start: number): Known {
    return { start, used: 0, more: 0, debt: this.#nextDebt() }
  }

  #nextDebt (): string {
    return `${this.#name}:${++this.#debts}`
  }
}

/** What a server may use of so many: the shares of all add up to it. */
export function shareOf (amount: number, { servers, place }: Place): number {
  return Math.floor(amount / servers) + (place < amount % servers ? 1 : 0)
}
