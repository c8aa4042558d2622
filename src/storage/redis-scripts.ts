import type { Redis, Result } from 'ioredis'
import { DAY, MINUTE } from '../domain/usage.js'
import { within } from './within.js'
import type { Counts } from './usage-table.js'

/** How long a command may take, in milliseconds, before Redis counts as lost. */
const DEADLINE = 200
/** How long an instance that is not heard of still counts as one, in milliseconds. */
const PRESENCE = 3_000

/**
 * The counters of a key are a hash: the start of each window in milliseconds since 1970, what was used in it, and the refusals of the
 * minute. The scripts run one at a time, and on Redis' own clock, so that all servers agree; a window that lies in the future, as after
 * that clock was set back, becomes the current one, so that what was used stays used.
 */
const COUNTERS = `
  local now = tonumber(ARGV[1])
  if now == nil then
    local time = redis.call('TIME')
    now = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  local minute, day = now - now % ${MINUTE}, now - now % ${DAY}
  local stored = redis.call('HMGET', KEYS[1], 'minute', 'minuteUsed', 'day', 'dayUsed', 'strikes')
  local minuteUsed, dayUsed, strikes = 0, 0, 0
  if stored[1] and tonumber(stored[1]) >= minute then
    minuteUsed, strikes = tonumber(stored[2]), tonumber(stored[5])
  end
  if stored[3] and tonumber(stored[3]) >= day then
    dayUsed = tonumber(stored[4])
  end
  local function store ()
    redis.call('HSET', KEYS[1], 'minute', minute, 'minuteUsed', minuteUsed, 'day', day, 'dayUsed', dayUsed, 'strikes', strikes)
    redis.call('PEXPIRE', KEYS[1], day + ${DAY} - now + ${MINUTE})
  end`

/** Decides both windows and counts the request in both or in neither (domain/usage). Nothing when it has no counters of this key. */
const CHARGE = `${COUNTERS}
  if not stored[1] then return false end
  local perMinute, perDay, bannedUntil = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
  local reply = { now, minuteUsed, dayUsed, strikes }
  if bannedUntil > now then return reply end
  if minuteUsed < perMinute and dayUsed < perDay then
    minuteUsed, dayUsed = minuteUsed + 1, dayUsed + 1
  else
    strikes = strikes + 1
    reply[4] = strikes
  end
  store()
  return reply`

/** Raises the counters to what is known of them elsewhere, then adds what was counted elsewhere. Windows that are over do not matter. */
const RESTORE = `${COUNTERS}
  if tonumber(ARGV[2]) >= minute then minuteUsed = math.max(minuteUsed, tonumber(ARGV[3])) + tonumber(ARGV[4]) end
  if tonumber(ARGV[5]) >= day then dayUsed = math.max(dayUsed, tonumber(ARGV[6])) + tonumber(ARGV[7]) end
  store()`

/** Takes the last refusal back. */
const FORGIVE = `
  if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HINCRBY', KEYS[1], 'strikes', -1) end`

/** Notes that an instance is there. How many there are, and its place among them from 0. */
const HEARTBEAT = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZADD', KEYS[1], now, ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${PRESENCE})
  redis.call('PEXPIRE', KEYS[1], ${PRESENCE})
  local instances = redis.call('ZRANGE', KEYS[1], 0, -1)
  table.sort(instances)
  for place, instance in ipairs(instances) do
    if instance == ARGV[1] then return { #instances, place - 1 } end
  end`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    petstoreCharge (key: string, now: number | '', perMinute: number, perDay: number, bannedUntil: number): Result<[now: number, minute: number, day: number, strikes: number] | null, Context>
    petstoreRestore (key: string, now: number | '', minute: number, minuteUsed: number, minuteMore: number, day: number, dayUsed: number, dayMore: number): Result<null, Context>
    petstoreForgive (key: string): Result<null, Context>
    petstoreHeartbeat (key: string, instance: string): Result<[instances: number, place: number], Context>
  }
}

/** What a key used in the current windows before this request, its refusals in the current minute, and the time by Redis' clock. */
export interface Charged { at: number, used: { minute: number, day: number }, strikes: number }

/** Counters to be raised: in each window what was used, and what more was counted elsewhere. */
export type Restored = Record<keyof Counts, { start: number, used: number, more: number }>

const INSTANCES = 'petstore:instances'
/** All that belongs to a key of the API lies in one hash slot. */
const usageOf = (keyId: string): string => `petstore:usage:{${keyId}}`

/** The commands that the counters need. Each rejects when Redis does not answer in time. `now` is a time to take instead of Redis' own. */
export class CounterCommands {
  readonly #redis: Redis

  constructor (redis: Redis) {
    this.#redis = redis
    const scripts = { petstoreCharge: CHARGE, petstoreRestore: RESTORE, petstoreForgive: FORGIVE, petstoreHeartbeat: HEARTBEAT }
    for (const [name, lua] of Object.entries(scripts)) redis.defineCommand(name, { numberOfKeys: 1, lua })
  }

  /** undefined when there are no counters of this key. */
  async charge (keyId: string, limits: { perMinute: number, perDay: number, bannedUntil: number }, now?: number): Promise<Charged | undefined> {
    const reply = await soon(this.#redis.petstoreCharge(usageOf(keyId), now ?? '', limits.perMinute, limits.perDay, limits.bannedUntil))
    if (reply === null) return undefined
    const [at, minute, day, strikes] = reply
    return { at, used: { minute, day }, strikes }
  }

  async restore (keyId: string, { minute, day }: Restored, now?: number): Promise<void> {
    await soon(this.#redis.petstoreRestore(usageOf(keyId), now ?? '', minute.start, minute.used, minute.more, day.start, day.used, day.more))
  }

  async forgive (keyId: string): Promise<void> {
    await soon(this.#redis.petstoreForgive(usageOf(keyId)))
  }

  async heartbeat (instance: string): Promise<{ instances: number, place: number }> {
    const [instances, place] = await soon(this.#redis.petstoreHeartbeat(INSTANCES, instance))
    return { instances, place }
  }

  /** Takes an instance out of the count at once. */
  async leave (instance: string): Promise<void> {
    await soon(this.#redis.zrem(INSTANCES, instance))
  }
}

function soon<Reply> (reply: Promise<Reply>): Promise<Reply> {
  return within(DEADLINE, reply, () => new Error(`Redis did not answer within ${DEADLINE} ms.`))
}
