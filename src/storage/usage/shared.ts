import type { Redis } from 'ioredis'
import { systemClock } from '../../domain/clock.js'
import { decide, type MeteredKey, type UsageRepository } from '../../domain/usage.js'
import type { Database } from '../database/database.js'
import { repeat } from '../scheduling/interval.js'
import { LocalUsage, type DecidedReading } from './local.js'
import { RedisLink, type OnChange } from './redis-link.js'
import { RedisCounters, type RedisCountersOptions } from './redis/counters.js'
import { RedisFailure } from './redis/failure.js'
import { Reports } from './reports.js'
import { readUsage, refuse } from './table.js'

/**
 * How often the counts are saved in the database, in milliseconds: of what is older, a Redis that lost its memory gives
 * nobody anything back.
 */
const SAVE = 5_000

/** What the counters that servers share are made of, and who is told of their failures. */
export interface SharedUsageOptions extends RedisCountersOptions {
  database: Database
  redis: Redis
  onChange: OnChange
  /** Told once, until one succeeds, when the counts cannot be saved in the database. */
  onUnsaved?: (cause: Error) => void
}

/** The counters that servers share, and how they stand. */
export interface SharedUsage extends UsageRepository {
  /** Whether this server counts by itself, because Redis cannot be asked. */
  degraded(): boolean
  /** Saves what Redis has said of the counts in the database, where people see it. */
  saveAdmitted(): Promise<void>
  /** Saves the counts in the database and leaves the other servers. */
  close(): Promise<void>
}

/**
 * Makes the counters that all servers share, exact, in Redis; the database knows what they said some seconds ago. While
 * Redis cannot be asked, each server counts by itself ({@link LocalUsage}). When it is back, all report to it what they
 * know before they go by it again ({@link RedisLink}). Whenever its memory may be gone or old, and before a server
 * counts by itself, the counts in the database are taken into account ({@link Reports}).
 */
export async function sharedUsage ({
  database,
  redis,
  onChange,
  onUnsaved,
  ...options
}: SharedUsageOptions): Promise<SharedUsage> {
  const counters = new RedisCounters(redis, options)
  const local = new LocalUsage()
  const reports = new Reports(local, counters, database, options.clock ?? systemClock)
  const link = await RedisLink.join(counters, reports, onChange)
  const endSaving = keepSaving(reports, onUnsaved)

  const chargeInRedis = async (key: MeteredKey): Promise<DecidedReading> => {
    const limits = { ...key.quota, bannedUntil: key.ban?.until ?? 0 }
    let reading = await counters.charge(key.id, limits)
    if (!reading) {
      await reports.restoreInRedis(key.id)
      reading = await counters.charge(key.id, limits)
    }
    if (!reading) throw new RedisFailure(new Error('Redis does not keep what it is told.'))
    const decision = decide(key, reading.used, reading.at)
    local.noteCharged(key.id, reading, decision.verdict === 'admitted')
    return { ...reading, decision }
  }

  const count = async (key: MeteredKey, now: number): Promise<DecidedReading> => {
    for (;;) {
      if (link.exact) {
        try {
          return await chargeInRedis(key)
        } catch (error) {
          if (!(error instanceof RedisFailure)) throw error
          link.lose(error)
        }
      }
      // Nothing is awaited from the look at the state to the count, so that nobody counts by itself when Redis is asked
      // again.
      if (reports.isLoaded(key.id)) return local.charge(key, now, link.membership)
      await reports.load(key.id)
    }
  }

  return {
    async charge (key, now) {
      const { decision, used, strikes } = await count(key, now)
      return decision.verdict === 'limited' ? await refuse(database, key, decision, used, strikes) : decision
    },

    usageOf: (now) => readUsage(database, now),

    degraded: () => !link.exact,

    saveAdmitted: () => reports.save({ end: false }),

    async close () {
      await Promise.all([link.leave(), endSaving()])
      redis.disconnect()
      await reports.save({ end: true })
    }
  }
}

/** Saves the counts again and again. What could not be saved is saved the next time. Returns how to end that. */
function keepSaving (reports: Reports, onUnsaved: SharedUsageOptions['onUnsaved']): () => Promise<void> {
  let saved = true
  return repeat(SAVE, async () => {
    try {
      await reports.save({ end: false })
      saved = true
    } catch (error) {
      if (saved) onUnsaved?.(error as Error)
      saved = false
    }
  })
}
