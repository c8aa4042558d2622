import { addRefusal, type Refusals } from '../../domain/bans.js'
import { StorageUnavailable } from '../../domain/errors.js'
import { decide, type MeteredKey, type UsageRepository } from '../../domain/usage.js'
import { windowStart } from '../../domain/windows.js'
import { upkeepOf, type Database } from '../database/database.js'
import { within } from '../scheduling/deadline.js'
import { SingleFlight } from '../scheduling/single-flight.js'
import { LENGTHS, readCounts, readUsage, refuse, WINDOWS, type Count, type WindowName } from './table.js'

/**
 * The part of a limit that is made durable ahead of its use (a lease): a crash costs a caller that much at most, and
 * never admits more than the limit.
 */
const LEASE = 0.05
/** The most requests of a lease: with larger ones nothing could be measured that writes cost less. */
const MOST_LEASED = 1_000
/**
 * The part of a limit that is admitted beyond what is durable while nothing can be written, so that reads go on: a
 * crash during that admits so much more than the limit at most.
 */
const GRACE = 0.5
/** Keys whose counts are written by one statement. */
const BATCH = 500
/** How long a request waits for its lease, in milliseconds, before it goes on without. */
const PATIENCE = 500

interface Counter extends Count {
  /**
   * What the newest write says is used, and what is known to be written: a process that starts after a crash goes on
   * from there.
   */
  leased: number
  durable: number
  /** What is known to be written of `used` itself, for people to see. */
  saved: number
}

interface State {
  minute: Counter
  day: Counter
  /** In the current minute. */
  refusals: Refusals
  /** The write that the newest requests wait for; rejects when it fails or takes too long. */
  writing?: Promise<void> | undefined
}

/** The counters of one server. */
export interface EmbeddedUsage extends UsageRepository {
  /** Writes what was admitted today besides what is leased, for people to see. */
  saveAdmitted(): Promise<void>
  /** Makes the exact counts durable: for a clean stop. */
  flush(): Promise<void>
}

export interface EmbeddedUsageOptions {
  /** Is told when counts cannot be made durable, once until they can again. */
  onUnsaved?: ((cause: Error) => void) | undefined
  /** Milliseconds until that is tried again. */
  retry?: number
}

/**
 * Makes the counters of one server. They count in memory, and what they admit is made durable ahead of it, so that a
 * crash forgets nothing. While nothing can be written they admit a bounded part of the limit all the same.
 */
export function embeddedUsage (
  database: Database,
  { onUnsaved = () => {}, retry = 1_000 }: EmbeddedUsageOptions = {}
): EmbeddedUsage {
  const states = new Map<string, State>()
  const loading = new SingleFlight(async (keyId, now: number) => {
    states.set(keyId, await load(database, keyId, now))
  })
  /** Why counts cannot be made durable, and when that is tried again, by the clock of `performance`. */
  let outage: { cause: Error; retryAt: number } | undefined
  let isTold = false

  const postpone = (cause: Error): void => {
    outage = { cause, retryAt: performance.now() + retry }
  }

  /** Makes a part of both limits durable ahead of its use. Until that is done, whoever is admitted waits for it. */
  const lease = (key: MeteredKey, state: State): void => {
    if (outage && performance.now() < outage.retryAt) return
    if (outage) outage.retryAt = performance.now() + retry
    const stored = store(database, key.id, state, (name) => {
      const { used, leased } = state[name]
      if (used <= leased) return leased
      const limit = limitOf(key, name)
      const block = Math.min(MOST_LEASED, Math.ceil(limit * LEASE))
      return Math.max(used, Math.min(limit, used - 1 + block))
    })
    stored.then(
      () => {
        outage = undefined
        isTold = false
      },
      (cause) => {
        postpone(cause)
        if (!isTold) onUnsaved(cause)
        isTold = true
      }
    )
    const writing = within(PATIENCE, stored, notKept)
    writing.catch(postpone).finally(() => {
      if (state.writing === writing) state.writing = undefined
    })
    state.writing = writing
  }

  // Nothing is awaited from the look at the counters to the count, so that no other request comes between.
  const charge: UsageRepository['charge'] = (key, now) => {
    const state = states.get(key.id)
    if (!state) return loading.join(key.id, now).then(() => charge(key, now))
    beginWindows(state, now)
    const used = { minute: state.minute.used, day: state.day.used }
    const decision = decide(key, used, now)
    if (decision.verdict === 'limited') return refuse(database, key, decision, used, addRefusal(state.refusals, now))
    if (decision.verdict === 'banned') return decision
    for (const name of WINDOWS) state[name].used++
    if (WINDOWS.some((name) => state[name].used > state[name].leased)) lease(key, state)
    if (WINDOWS.every((name) => state[name].used <= state[name].durable)) return decision
    const counted = { minute: state.minute, day: state.day }
    const isInGrace = (): boolean =>
      WINDOWS.every((name) => used[name] < mostOf(counted[name], limitOf(key, name)))
    if (outage && isInGrace()) return decision
    return (state.writing ?? Promise.reject(outage?.cause ?? notKept())).then(
      () => decision,
      (cause) => {
        if (isInGrace()) return decision
        for (const name of WINDOWS) counted[name].used--
        throw cause
      }
    )
  }

  return {
    charge,

    usageOf: (now) => readUsage(database, now),

    async saveAdmitted () {
      const days = [...states].map(([keyId, { day }]) => ({ keyId, day, used: day.used }))
      const changed = days.filter(({ day, used }) => used !== day.saved)
      for (let from = 0; from < changed.length; from += BATCH) {
        await writeAdmitted(upkeepOf(database), changed.slice(from, from + BATCH))
      }
    },

    async flush () {
      const outcomes = await Promise.allSettled(
        [...states].map(async ([keyId, state]) => {
          if (WINDOWS.some((name) => state[name].used !== state[name].leased)) {
            await store(database, keyId, state, (name) => state[name].used)
          }
        })
      )
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    }
  }
}

function notKept (): Error {
  return new StorageUnavailable('The counts of the limits are not kept in time.')
}

function limitOf ({ quota }: MeteredKey, name: WindowName): number {
  return name === 'minute' ? quota.perMinute : quota.perDay
}

/** The most requests of a window that are admitted before more of them is durable. */
function mostOf ({ durable }: Counter, limit: number): number {
  return durable + Math.ceil(limit * GRACE)
}

async function load (database: Database, keyId: string, now: number): Promise<State> {
  const { minute, day } = (await readCounts(database, [keyId], now)).get(keyId)!
  const durable = ({ start, used }: Count): Counter => ({ start, used, leased: used, durable: used, saved: 0 })
  return { minute: durable(minute), day: durable(day), refusals: { strikes: 0 } }
}

/** Begins the windows anew in which `now` lies. */
function beginWindows (state: State, now: number): void {
  for (const name of WINDOWS) {
    const start = windowStart(now, LENGTHS[name])
    if (state[name].start >= start) continue
    state[name] = { start, used: 0, leased: 0, durable: 0, saved: 0 }
    if (name === 'minute') state.refusals = { strikes: 0 }
  }
}

async function store (
  database: Database,
  keyId: string,
  state: State,
  amountOf: (name: WindowName) => number
): Promise<void> {
  const rows = WINDOWS.map((name) => {
    const counter = state[name]
    return { name, counter, amount: amountOf(name), used: counter.used }
  })
  for (const { counter, amount } of rows) counter.leased = amount
  try {
    await database.write(
      `INSERT INTO usage (key_id, "window", start, used, admitted)
       VALUES ($1, $2, $3, $4, $5), ($1, $6, $7, $8, $9)
       ON CONFLICT (key_id, "window")
       DO UPDATE SET start = excluded.start, used = excluded.used, admitted = excluded.admitted`,
      [keyId, ...rows.flatMap(({ name, counter, amount, used }) => [name, counter.start, amount, used])]
    )
    for (const { counter, amount, used } of rows) [counter.durable, counter.saved] = [amount, used]
  } catch (error) {
    for (const { counter } of rows) counter.leased = counter.durable
    throw error
  }
}

/** Writes what was admitted on a day, where that day is stored: where it is not, nothing admitted is durable. */
async function writeAdmitted (
  database: Database,
  days: { keyId: string; day: Counter; used: number }[]
): Promise<void> {
  const places = days.map((_, row) => `($${3 * row + 1}, $${3 * row + 2}, $${3 * row + 3})`)
  await database.write(
    `WITH counted (key_id, start, admitted) AS (VALUES ${places.join(', ')})
     UPDATE usage SET admitted = counted.admitted FROM counted
     WHERE usage.key_id = counted.key_id AND usage."window" = 'day' AND usage.start = counted.start`,
    days.flatMap(({ keyId, day, used }) => [keyId, day.start, used])
  )
  for (const { day, used } of days) day.saved = used
}
