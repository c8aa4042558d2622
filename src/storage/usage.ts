import { nextBan, STRIKES, type Ban } from '../domain/bans.js'
import { DAY, MINUTE, decide, windowStart, type UsageRepository } from '../domain/usage.js'
import type { Database } from './database.js'

/** Of a limit, what is made durable ahead of its use: a crash costs a caller that much at most, and never admits more than the limit. */
const LEASE = 0.05

const LENGTHS = { minute: MINUTE, day: DAY }
type Name = keyof typeof LENGTHS
const NAMES = Object.keys(LENGTHS) as Name[]

interface Counter {
  start: number
  used: number
  /** What the database has as used; a process that starts after a crash goes on from there. */
  leased: number
}

interface State {
  minute: Counter
  day: Counter
  /** Refusals in the current minute. */
  strikes: number
  /** The write that the newest requests wait for. */
  writing?: Promise<void> | undefined
}

export interface EmbeddedUsage extends UsageRepository {
  /** Makes the exact counts durable: for a clean stop. */
  flush (): Promise<void>
}

/** Counters of one process in memory, durable by leases in its database. */
export function embeddedUsage (database: Database): EmbeddedUsage {
  const states = new Map<string, State>()
  const loading = new Map<string, Promise<State>>()
  let today = 0

  /** Callers that have not come back since yesterday need no place in memory. */
  const forget = (now: number): void => {
    if (windowStart(now, DAY) === today) return
    today = windowStart(now, DAY)
    for (const [keyId, state] of states) if (state.day.start < today && !state.writing) states.delete(keyId)
  }
  const arrival = (keyId: string, now: number): Promise<State> => {
    const under = loading.get(keyId)
    if (under) return under
    const arriving = load(database, keyId).then((state) => {
      turn(state, now)
      states.set(keyId, state)
      return state
    }).finally(() => loading.delete(keyId))
    loading.set(keyId, arriving)
    return arriving
  }

  return {
    async charge (key, now) {
      forget(now)
      const state = states.get(key.id) ?? await arrival(key.id, now)
      // From here to the count nothing is awaited, so that no other request comes between.
      turn(state, now)
      const decision = decide(key, { minute: state.minute.used, day: state.day.used }, now)
      if (decision.verdict === 'admitted') {
        state.minute.used++
        state.day.used++
        if (NAMES.some((name) => state[name].used > state[name].leased)) {
          lease(database, key.id, state, { minute: key.quota.perMinute, day: key.quota.perDay })
        }
        await state.writing
      } else if (decision.verdict === 'limited' && ++state.strikes === STRIKES) {
        decision.ban = nextBan(key.ban, now)
        await storeBan(database, key.id, decision.ban)
      }
      return decision
    },

    async usedToday (now) {
      const rows = await database.query("SELECT key_id, used FROM usage WHERE window = 'day' AND start = $1", [windowStart(now, DAY)])
      return new Map(rows.map(({ key_id: keyId, used }) => [keyId as string, Number(used)]))
    },

    async flush () {
      for (const [keyId, state] of states) {
        if (NAMES.some((name) => state[name].used !== state[name].leased)) await store(database, keyId, state, (name) => state[name].used)
      }
    }
  }
}

async function load (database: Database, keyId: string): Promise<State> {
  const state: State = { minute: { start: 0, used: 0, leased: 0 }, day: { start: 0, used: 0, leased: 0 }, strikes: 0 }
  for (const { window, start, used } of await database.query('SELECT window, start, used FROM usage WHERE key_id = $1', [keyId])) {
    state[window as Name] = { start: Number(start), used: Number(used), leased: Number(used) }
  }
  return state
}

/** Begins the windows anew in which `now` lies. One that began later stays: a clock that was set back gives nobody a fresh window. */
function turn (state: State, now: number): void {
  for (const name of NAMES) {
    const start = windowStart(now, LENGTHS[name])
    if (state[name].start >= start) continue
    state[name] = { start, used: 0, leased: 0 }
    if (name === 'minute') state.strikes = 0
  }
}

/** Makes a part of both limits durable ahead of its use. Until that is done, whoever is admitted waits for it. */
function lease (database: Database, keyId: string, state: State, limits: Record<Name, number>): void {
  const writing = store(database, keyId, state, (name) => {
    const { used, leased } = state[name]
    return used <= leased ? leased : Math.max(used, Math.min(limits[name], used - 1 + Math.ceil(limits[name] * LEASE)))
  }).finally(() => { if (state.writing === writing) state.writing = undefined })
  state.writing = writing
}

async function store (database: Database, keyId: string, state: State, amountOf: (name: Name) => number): Promise<void> {
  const rows = NAMES.map((name) => ({ name, counter: state[name], amount: amountOf(name), before: state[name].leased }))
  for (const { counter, amount } of rows) counter.leased = amount
  try {
    await database.query(
      `INSERT INTO usage (key_id, window, start, used) VALUES ($1, $2, $3, $4), ($1, $5, $6, $7)
       ON CONFLICT (key_id, window) DO UPDATE SET start = excluded.start, used = excluded.used`,
      [keyId, ...rows.flatMap(({ name, counter, amount }) => [name, counter.start, amount])])
  } catch (error) {
    for (const { counter, before } of rows) counter.leased = before
    throw error
  }
}

async function storeBan (database: Database, keyId: string, { level, until }: Ban): Promise<void> {
  await database.query('UPDATE api_keys SET ban_level = $2, banned_until = $3 WHERE id = $1', [keyId, level, until])
}
