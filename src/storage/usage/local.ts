import { randomUUID } from 'node:crypto'
import { addRefusal, type Refusals } from '../../domain/bans.js'
import { decide, type Decision, type MeteredKey } from '../../domain/usage.js'
import { DAY, windowStart } from '../../domain/windows.js'
import { LENGTHS, WINDOWS, type Count, type Counts, type WindowName } from './table.js'

/** What the counters of a key say: the requests of the current windows, and the strikes of the current minute. */
export interface Reading {
  /** The time by the clock of the counters, in milliseconds since 1970. */
  at: number
  used: Record<WindowName, number>
  strikes: number
}

/** A decision on a request, and the counters before it. */
export interface DecidedReading extends Reading {
  decision: Decision
}

/** A window of a key, as this server knows it. */
export interface LocalCount extends Count {
  /** Requests that this server admitted by itself: the shared counters do not have them in `used`. */
  unreported: number
  /** Names these requests in a report, so that the shared counters add them once, however often they are told. */
  reportId: string
}

/** What this server tells the shared counters of a key. */
export type Report = Record<WindowName, LocalCount>

interface State extends Record<WindowName, LocalCount> {
  /** By this server, in the current minute. */
  refusals: Refusals
}

/** How many servers share the counters, and which of them this one is, from 0. */
export interface Membership {
  servers: number
  rank: number
}

/**
 * What one of several servers knows of the counters that they share. While those are out of reach it admits by itself a
 * share of what was left of each limit when it last knew; the shares of all servers add up to the limit, so that no
 * window sees more than twice it.
 */
export class LocalUsage {
  readonly #states = new Map<string, State>()
  /** Keys of which the database does not know what the shared counters said. */
  readonly #unsaved = new Set<string>()
  /** Keys of which the shared counters do not know what was admitted here. */
  readonly #unreported = new Set<string>()
  readonly #name = randomUUID()
  #reports = 0

  /** Takes note of what the shared counters said when they were asked about a request, and whether it was admitted. */
  noteCharged (keyId: string, reading: Reading, admitted: boolean): void {
    this.#raise(keyId, reading, Number(admitted))
    if (admitted) this.#unsaved.add(keyId)
  }

  /** Takes note of the counts that the database has of a key. */
  noteSaved (keyId: string, now: number, counts: Counts): void {
    const state = this.#stateOf(keyId, now)
    for (const name of WINDOWS) {
      if (counts[name].start === state[name].start) state[name].used = Math.max(state[name].used, counts[name].used)
    }
  }

  /** Decides on a request without the shared counters, and counts it when it is admitted. */
  charge (key: MeteredKey, now: number, membership: Membership): DecidedReading {
    const state = this.#stateOf(key.id, now)
    const { perMinute, perDay } = key.quota
    // Whatever is not left for this server counts as used.
    const used = {
      minute: perMinute - leftOf(state.minute, perMinute, membership),
      day: perDay - leftOf(state.day, perDay, membership)
    }
    const decision = decide(key, used, now)
    if (decision.verdict === 'admitted') {
      for (const name of WINDOWS) state[name].unreported++
      this.#unreported.add(key.id)
    }
    const strikes = decision.verdict === 'limited' ? addRefusal(state.refusals, now) : 0
    return { at: now, used, strikes, decision }
  }

  /** The keys of which the shared counters do not know what this server admitted by itself. */
  unreportedKeys (): string[] {
    return [...this.#unreported]
  }

  /**
   * The keys of which counters that may have lost their memory have to be told: besides the unreported ones those that
   * the database cannot restore.
   */
  keysToRestore (): string[] {
    return [...new Set([...this.#unreported, ...this.#unsaved])]
  }

  /** What the shared counters are to be told of a key, with or without what this server admitted by itself. */
  reportOf (keyId: string, now: number, { admissions }: { admissions: boolean }): Report {
    const { minute, day } = this.#stateOf(keyId, now)
    const told = (count: LocalCount): LocalCount =>
      admissions ? { ...count } : { ...count, unreported: 0, reportId: '' }
    return { minute: told(minute), day: told(day) }
  }

  /**
   * Takes note that the shared counters have a report, and of what they said to it. What was admitted meanwhile is for
   * another report.
   */
  noteReported (keyId: string, report: Report, reading: Reading): void {
    this.#raise(keyId, reading, 0)
    if (report.day.unreported > 0) this.#unsaved.add(keyId)
    const state = this.#stateOf(keyId, reading.at)
    for (const name of WINDOWS) {
      const count = state[name]
      if (count.reportId !== report[name].reportId) continue
      count.unreported -= report[name].unreported
      count.reportId = this.#nextReportId()
    }
    if (state.day.unreported === 0) this.#unreported.delete(keyId)
  }

  /**
   * The counts that the database does not know, which are taken for saved from now on: what the shared counters said.
   * At the end also what they were not told, which before would count twice: they get it from here, too. Forgets keys
   * that were not used today.
   */
  takeUnsaved (now: number, { end }: { end: boolean }): Map<string, Counts> {
    const unsaved = new Map<string, Counts>()
    const total = ({ start, used, unreported }: LocalCount): Count => ({ start, used: end ? used + unreported : used })
    for (const keyId of end ? this.keysToRestore() : this.#unsaved) {
      const { minute, day } = this.#states.get(keyId)!
      unsaved.set(keyId, { minute: total(minute), day: total(day) })
    }
    for (const [keyId, { day }] of this.#states) {
      if (day.start >= windowStart(now, DAY) || this.#unsaved.has(keyId)) continue
      this.#states.delete(keyId)
      this.#unreported.delete(keyId)
    }
    this.#unsaved.clear()
    return unsaved
  }

  /** Takes note that these keys were not saved after all. */
  noteUnsaved (keyIds: Iterable<string>): void {
    for (const keyId of keyIds) if (this.#states.has(keyId)) this.#unsaved.add(keyId)
  }

  #raise (keyId: string, { at, used }: Reading, by: number): void {
    const state = this.#stateOf(keyId, at)
    for (const name of WINDOWS) state[name].used = Math.max(state[name].used, used[name] + by)
  }

  /** Begins the windows anew in which `now` lies. */
  #stateOf (keyId: string, now: number): State {
    let state = this.#states.get(keyId)
    if (!state) {
      state = { minute: this.#begun(0), day: this.#begun(0), refusals: { strikes: 0 } }
      this.#states.set(keyId, state)
    }
    for (const name of WINDOWS) {
      const start = windowStart(now, LENGTHS[name])
      if (state[name].start >= start) continue
      state[name] = this.#begun(start)
      if (name === 'minute') state.refusals = { strikes: 0 }
    }
    return state
  }

  #begun (start: number): LocalCount {
    return { start, used: 0, unreported: 0, reportId: this.#nextReportId() }
  }

  #nextReportId (): string {
    return `${this.#name}:${++this.#reports}`
  }
}

/** What a server may still admit by itself: its share of what the shared counters left, less what it has admitted. */
function leftOf ({ used, unreported }: LocalCount, limit: number, membership: Membership): number {
  const left = Math.max(0, limit - used)
  return Math.max(0, shareOf(left, membership) - unreported)
}

/** Gives the share of one server in an amount; the shares of all servers add up to it. */
export function shareOf (amount: number, { servers, rank }: Membership): number {
  return Math.floor(amount / servers) + (rank < amount % servers ? 1 : 0)
}
