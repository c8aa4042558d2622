import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { systemClock, type Clock } from '../../domain/clock.js'
import { StorageUnavailable } from '../../domain/errors.js'
import { decide, type MeteredKey, type UsageRepository } from '../../domain/usage.js'
import type { Database } from '../database/database.js'
import { joined } from '../scheduling/single-flight.js'
import { LocalUsage, type Decided, type Place } from './local.js'
import { RedisCounters } from './redis/counters.js'
import { RedisFailure } from './redis/failure.js'
import { repeat } from '../scheduling/interval.js'
import { raiseCounts, readCounts, readUsage, refuse } from './table.js'

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
 * How often the database is told the counts, in milliseconds: of what is older, a Redis that lost its memory gives
 * nobody anything back.
 */
const SAVE = 5_000
/** Keys that are told of at a time. */
const BATCH = 500

export interface SharedUsageOptions {
  database: Database
  redis: Redis
  /** Told once when the counters are lost, with the cause, and once when they are back. */
  onChange: (degraded: boolean, cause?: Error) => void
  /** Told once, until one succeeds, when the counts cannot be saved in the database. */
  onUnsaved?: (cause: Error) => void
  /** What the counters go by; Redis' own clock without it. */
  clock?: Clock
}

export interface SharedUsage extends UsageRepository {
  /** Whether this server counts by itself, because Redis cannot be asked. */
  degraded(): boolean
  /** Tells the database the counts and leaves the other servers. */
  close(): Promise<void>
}

/**
 * Counters that all servers share, exact, in Redis; the database knows what they said some seconds ago. While Redis
 * cannot be asked, each server counts by itself ({@link LocalUsage}). When it is back, all tell it what they know
 * before they go by it again. Whenever its memory may be gone or old, and before a server counts by itself, the counts
 * in the database are taken into account.
 */
export async function redisUsage ({
  database,
  redis,
  onChange,
  onUnsaved,
  clock
}: SharedUsageOptions): Promise<SharedUsage> {
  const counters = new RedisCounters(redis, clock)
  const local = new LocalUsage()
  const server = randomUUID()
  /** Keys of which the database was asked since Redis was lost. */
  const remembered = new Set<string>()
  let place = await counters.heartbeat(server)
  /** When there were last as many servers as `place` says, and when Redis was reached again. */
  let complete = performance.now()
  let reached = 0
  let state: 'exact' | 'lost' | 'returning' = 'exact'
  const here = clock ?? systemClock

  const lose = (cause: Error): void => {
    const before = state
    state = 'lost'
    if (before !== 'exact') return
    remembered.clear()
    onChange(true, cause)
  }

  const remember = async (keyIds: string[]): Promise<void> => {
    const now = here.now()
    for (const [keyId, counts] of await readCounts(database, keyIds, now)) local.remember(keyId, now, counts)
  }

  /**
   * Tells Redis what is known elsewhere of these keys; the debts are added to that, so all servers tell them later than
   * the rest ({@link RETURN}).
   */
  const restore = async (keyIds: string[], debts: boolean): Promise<void> => {
    for (let from = 0; from < keyIds.length; from += BATCH) {
      const batch = keyIds.slice(from, from + BATCH)
      await remember(batch)
      await Promise.all(
        batch.map(async (keyId) => {
          const known = local.known(keyId, here.now(), debts)
          local.settle(keyId, known, await counters.restore(keyId, known))
        })
      )
    }
  }

  // A storm of one key does not keep the database from the others.
  const restoreOne = joined((keyId) => restore([keyId], false))
  const rememberOne = joined(async (keyId) => {
    await remember([keyId])
    remembered.add(keyId)
  })

  const chargeInRedis = async (key: MeteredKey): Promise<Decided> => {
    const limits = { ...key.quota, bannedUntil: key.ban?.until ?? 0 }
    let charged = await counters.charge(key.id, limits)
    if (!charged) {
      await restoreOne(key.id)
      charged = await counters.charge(key.id, limits)
    }
    if (!charged) throw new RedisFailure(new Error('Redis does not keep what it is told.'))
    const decision = decide(key, charged.used, charged.at)
    local.learn(key.id, charged, decision.verdict === 'admitted')
    return { ...charged, decision }
  }

  const count = async (key: MeteredKey, now: number): Promise<Decided> => {
    for (;;) {
      if (state === 'exact') {
        try {
          return await chargeInRedis(key)
        } catch (error) {
          if (!(error instanceof RedisFailure)) throw error
          lose(error)
        }
      }
      // Nothing is awaited from the look at the state to the count, so that nobody counts by itself when Redis is asked
      // again.
      if (remembered.has(key.id)) return local.charge(key, now, place)
      await rememberOne(key.id)
    }
  }

  const note = (found: Place): void => {
    if (found.servers < place.servers && performance.now() - complete < ABSENCE) return
    place = found
    complete = performance.now()
  }

  const endBeat = repeat(BEAT, async () => {
    const before = state
    try {
      const found = await counters.heartbeat(server)
      if (before === 'exact') note(found)
      if (before === 'returning' && performance.now() - reached < RETURN) return
      await restore(local.owed(before === 'lost'), before !== 'lost')
    } catch (error) {
      // A fault of our own costs the exact count, too, and not the server; what it was stands in the log.
      if (!(error instanceof StorageUnavailable)) lose(error as Error)
      return
    }
    if (state !== before) return
    if (before === 'lost') {
      state = 'returning'
      reached = performance.now()
    } else if (before === 'returning') {
      state = 'exact'
      onChange(false)
    }
  })

  const save = async (end: boolean): Promise<void> => {
    const news = [...local.news(here.now(), end)]
    try {
      for (let from = 0; from < news.length; from += BATCH) {
        await raiseCounts(database, new Map(news.slice(from, from + BATCH)))
      }
    } catch (error) {
      local.unheard(news.map(([keyId]) => keyId))
      throw error
    }
  }
  let saved = true
  // The database is told what it missed the next time.
  const endSave = repeat(SAVE, () =>
    save(false).then(
      () => {
        saved = true
      },
      (error: Error) => {
        if (saved) onUnsaved?.(error)
        saved = false
      }
    )
  )

  return {
    async charge (key, now) {
      const { decision, used, strikes } = await count(key, now)
      return decision.verdict === 'limited' ? await refuse(database, key, decision, used, strikes) : decision
    },

    usageOf: (now) => readUsage(database, now),

    degraded: () => state !== 'exact',

    async close () {
      await Promise.all([endBeat(), endSave()])
      await counters.leave(server).catch(() => {})
      redis.disconnect()
      await save(true)
    }
  }
}
