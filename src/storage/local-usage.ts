import { DAY, MINUTE, decide, windowStart, type Counted, type Decision } from '../domain/usage.js'
import type { Charged, Restored } from './redis-scripts.js'
import { LENGTHS, WINDOWS, type Counts } from './usage-table.js'

/** A window of a key: what was used when the shared counters were last asked, what more was admitted here without them, and how much of that they were told. */
interface Known { start: number, used: number, more: number, told: number }

interface State {
  minute: Known
  day: Known
  /** Refusals here in the current minute. */
  strikes: number
  /** Whether the database has not been told yet. */
  fresh: boolean
}

/** Which of how many instances this one is, from 0. */
export interface Place { instances: number, place: number }

export type Scope = 'all' | 'counted here'

/**
 * What one of several servers knows of the counters that they share. While those are out of reach it admits by itself a share of what
 * was left of each limit when it last knew; the shares of all instances add up to the limit, so that no window sees more than twice it.
 */
export class LocalUsage {
  readonly #states = new Map<string, State>()

  /** Takes note of what the shared counters said. */
  learn (keyId: string, { at, used }: Charged, admitted: boolean): void {
    const state = this.#stateOf(keyId, at)
    for (const window of WINDOWS) {
      const known = state[window]
      known.used = Math.max(known.used, used[window] + Number(admitted))
      known.more -= known.told // is in what they said
      known.told = 0
    }
    state.fresh ||= admitted
  }

  /** Decides by itself. */
  charge (key: Counted, now: number, place: Place): Charged & { decision: Decision } {
    const state = this.#stateOf(key.id, now)
    const limits = { minute: key.quota.perMinute, day: key.quota.perDay }
    const usedOf = (name: keyof Counts): number => {
      const { used, more } = state[name]
      return limits[name] - Math.max(0, shareOf(Math.max(0, limits[name] - used), place) - more)
    }
    const used = { minute: usedOf('minute'), day: usedOf('day') }
    const decision = decide(key, used, now)
    if (decision.verdict === 'admitted') {
      for (const name of WINDOWS) state[name].more++
      state.fresh = true
    }
    if (decision.verdict === 'limited') state.strikes++
    return { at: now, used, strikes: state.strikes, decision }
  }

  /** Takes the last refusal back. */
  forgive (keyId: string): void {
    const state = this.#states.get(keyId)
    if (state && state.strikes > 0) state.strikes--
  }

  /** Takes note of what the database has of a key. */
  remember (keyId: string, now: number, counts: Counts): void {
    const state = this.#stateOf(keyId, now)
    for (const name of WINDOWS) if (counts[name].start === state[name].start) state[name].used = Math.max(state[name].used, counts[name].used)
  }

  /** What is known of one key, for shared counters that know nothing of it. */
  known (keyId: string): Restored {
    return newsOf(this.#states.get(keyId)!)
  }

  /** What the shared counters are to be told when they are back: all keys of the current minute, or only what was counted here. */
  owed (now: number, scope: Scope): [keyId: string, known: Restored][] {
    return [...this.#states].map(([keyId, state]): [string, Restored] => [keyId, newsOf(state)])
      .filter(([, { minute, day }]) => minute.more + day.more > 0 || (scope === 'all' && minute.start >= windowStart(now, MINUTE)))
  }

  /** The shared counters were told so much of a key. Its share does not grow by that. */
  settle (keyId: string, news: Restored): void {
    const state = this.#states.get(keyId)!
    for (const name of WINDOWS) if (state[name].start === news[name].start) state[name].told += news[name].more
  }

  /** The counts that the database has not been told since the last time. Forgets keys that were not used today. */
  news (now: number): Map<string, Counts> {
    const news = new Map<string, Counts>()
    for (const [keyId, state] of this.#states) {
      if (state.fresh) news.set(keyId, { minute: total(state.minute), day: total(state.day) })
      else if (state.day.start < windowStart(now, DAY)) this.#states.delete(keyId)
      state.fresh = false
    }
    return news
  }

  /** The database was not told after all. */
  unheard (news: Iterable<string>): void {
    for (const keyId of news) this.#states.get(keyId)!.fresh = true
  }

  /** Begins the windows anew in which `now` lies. */
  #stateOf (keyId: string, now: number): State {
    let state = this.#states.get(keyId)
    if (!state) {
      const none = { start: 0, used: 0, more: 0, told: 0 }
      state = { minute: { ...none }, day: { ...none }, strikes: 0, fresh: false }
      this.#states.set(keyId, state)
    }
    for (const name of WINDOWS) {
      const start = windowStart(now, LENGTHS[name])
      if (state[name].start >= start) continue
      state[name] = { start, used: 0, more: 0, told: 0 }
      if (name === 'minute') state.strikes = 0
    }
    return state
  }
}

function newsOf ({ minute, day }: State): Restored {
  const news = ({ start, used, more, told }: Known) => ({ start, used: used + told, more: more - told })
  return { minute: news(minute), day: news(day) }
}

function total ({ start, used, more }: Known): { start: number, used: number } {
  return { start, used: used + more }
}

/** What an instance may use of so many: the shares of all add up to it. */
export function shareOf (amount: number, { instances, place }: Place): number {
  return Math.floor(amount / instances) + (place < amount % instances ? 1 : 0)
}
