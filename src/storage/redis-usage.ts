import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { nextBan, STRIKES } from '../domain/bans.js'
import { StorageUnavailable } from '../domain/errors.js'
import { decide, type Counted, type Decision, type UsageRepository } from '../domain/usage.js'
import type { Database } from './database.js'
import { LocalUsage, type Place, type Scope } from './local-usage.js'
import { CounterCommands, type Charged } from './redis-scripts.js'
import { repeat } from './repeat.js'
import { raiseCounts, readCounts, readUsage, storeBan } from './usage-table.js'

/** How often an instance shows that it is there, and looks whether Redis is back, in milliseconds. */
const BEAT = 250
/** How often the counts are copied to the database, in milliseconds: of what is older, a Redis that lost its memory gives nobody anything back. */
const COPY = 5_000
/** Keys that are told of at a time. */
const BATCH = 500

export interface SharedUsageOptions {
  database: Database
  redis: Redis
  /** Told once when the counters are lost, with the cause, and once when they are back. */
  onChange: (degraded: boolean, cause?: Error) => void
  /** The counters go by the time of the caller instead of Redis' own: for tests. */
  callersTime?: boolean
}

export interface SharedUsage extends UsageRepository {
  /** Whether this instance counts by itself, because Redis cannot be asked. */
  degraded (): boolean
  /** Copies the counts to the database and leaves the other instances. */
  close (): Promise<void>
}

/**
 * Counters that all instances share, exact, in Redis; the database has a copy that is some seconds old. While Redis cannot be asked,
 * each instance counts by itself ({@link LocalUsage}). When it is back, all tell it what they know before they go by it again.
 */
export async function redisUsage ({ database, redis, onChange, callersTime = false }: SharedUsageOptions): Promise<SharedUsage> {
  const counters = new CounterCommands(redis)
  const local = new LocalUsage()
  const instance = randomUUID()
  const timeOf = (now: number): number | undefined => callersTime ? now : undefined
  let place: Place = await counters.heartbeat(instance)
  let state: 'exact' | 'lost' | 'returning' = 'exact'
  let newest = 0

  const lose = (cause: Error): void => {
    if (state === 'exact') onChange(true, cause)
    state = 'lost'
  }

  const chargeShared = async ({ id, quota, ban }: Counted, now: number): Promise<Charged> => {
    const limits = { ...quota, bannedUntil: ban?.until ?? 0 }
    const charged = await counters.charge(id, limits, timeOf(now))
    if (charged) return charged
    local.remember(id, now, await readCounts(database, id, now))
    const known = local.known(id)
    await counters.restore(id, known, timeOf(now))
    local.settle(id, known)
    const again = await counters.charge(id, limits, timeOf(now))
    if (!again) throw new Error('Redis does not keep what it is told.')
    return again
  }

  const charge = async (key: Counted, now: number): Promise<Charged & { decision: Decision }> => {
    if (state === 'exact') {
      try {
        const charged = await chargeShared(key, now)
        const decision = decide(key, charged.used, charged.at)
        local.learn(key.id, charged, decision.verdict === 'admitted')
        return { ...charged, decision }
      } catch (error) {
        if (error instanceof StorageUnavailable) throw error
        lose(error as Error)
      }
    }
    return local.charge(key, now, place)
  }

  /** Tells Redis what it must know before this instance goes by it again. */
  const tell = async (scope: Scope): Promise<void> => {
    for (const batch of batchesOf(local.owed(newest, scope))) {
      await Promise.all(batch.map(async ([keyId, known]) => {
        await counters.restore(keyId, known, timeOf(newest))
        local.settle(keyId, known)
      }))
    }
  }

  const endBeat = repeat(BEAT, async () => {
    try {
      const found = await counters.heartbeat(instance)
      // A Redis that has just come back may not have heard of all instances yet.
      if (state !== 'lost') place = found
      if (state === 'lost') {
        await tell('all')
        state = 'returning'
      } else if (state === 'returning') {
        // A beat later, so that the other instances have told what they know, too.
        await tell('counted here')
        state = 'exact'
        await tell('counted here')
        onChange(false)
      }
    } catch (error) {
      lose(error as Error)
    }
  })

  const copy = async (): Promise<void> => {
    const news = local.news(newest)
    try {
      for (const batch of batchesOf([...news])) await raiseCounts(database, new Map(batch))
    } catch (error) {
      local.unheard(news.keys())
      throw error
    }
  }
  // A database that fails is told of by the requests that it fails; the counts are copied the next time.
  const endCopy = repeat(COPY, () => copy().catch(() => {}))

  return {
    async charge (key, now) {
      newest = now
      const { decision, used, strikes } = await charge(key, now)
      if (decision.verdict !== 'limited' || strikes !== STRIKES) return decision
      const ban = nextBan(key.ban, decision.at)
      try {
        await storeBan(database, key.id, ban)
      } catch (error) {
        local.forgive(key.id)
        await counters.forgive(key.id).catch(lose)
        throw error
      }
      return { ...decide({ quota: key.quota, ban }, used, decision.at), ban }
    },

    usageOf: (now) => readUsage(database, now),

    degraded: () => state !== 'exact',

    async close () {
      await Promise.all([endBeat(), endCopy()])
      await counters.leave(instance).catch(() => {})
      redis.disconnect()
      await copy()
    }
  }
}

function * batchesOf<Item> (items: Item[]): Generator<Item[]> {
  for (let from = 0; from < items.length; from += BATCH) yield items.slice(from, from + BATCH)
}
