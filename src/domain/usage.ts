import type { Ban } from './bans.js'
import type { Quota } from './plans.js'
import { DAY, MINUTE, windowEnd } from './windows.js'

/** What a caller may still use of a window (contract, section 8). */
export interface Standing {
  limit: number
  remaining: number
  /** When the window ends, in milliseconds since 1970. */
  resetAt: number
}

/** What a caller may still use of each window; calls without a key have no day. */
export type Windows = { minute: Standing; day?: Standing }

/** The verdict on a request; its own figures are those of the X-RateLimit headers. */
export interface Decision extends Standing {
  verdict: 'admitted' | 'limited' | 'banned'
  windows: Windows
  /** When it was given, by the clock of the counters, in milliseconds since 1970. */
  at: number
  /** How many milliseconds `at` is ahead of the time that callers go by, where that is a second or more. */
  ahead?: number
  /** The ban that this very request brought. */
  ban?: Ban
}

/** What the counters need to know of an API key. */
export interface MeteredKey {
  id: string
  quota: Quota
  ban?: Ban
}

/** The port to the counters of the API keys. Each method rejects with StorageUnavailable when the storage fails. */
export interface UsageRepository {
  /**
   * Decides both windows of a key in one step and counts the request in both, or in neither when one of them is spent.
   * An admitted request is counted before this resolves: durably by one server, in memory by those that share their
   * counters, which go by a clock of their own. A ban is durable then.
   */
  charge(key: MeteredKey, now: number): Decision | Promise<Decision>
  /**
   * By key id: the requests of today, as they are in the database (see {@link UsageGathering}), and the minute of the
   * newest admitted one, in milliseconds since 1970. Keys that were never used are not in it.
   */
  usageOf(now: number): Promise<Map<string, { today: number; lastUsedAt: number }>>
}

/** Brings what servers have counted into the database, where others can read it. */
export interface UsageGathering {
  /**
   * Has every server write what it has counted until now, and waits for that. Gives how many servers have not done so
   * in time, since they were killed or hang: the counts of their last second are missing.
   */
  gather(now: number): Promise<number>
}

/**
 * Decides whether a request is within the limits, given what its key had used before it. The figures of an admitted one
 * are those of the window with less left (of the day where both have as much), those of a refused one are of the spent
 * window that ends last, and those of a banned one say when its ban ends. The windows say what is true of each,
 * whatever the verdict.
 */
export function decide (
  { quota, ban }: Omit<MeteredKey, 'id'>,
  used: { minute: number; day: number },
  now: number
): Decision {
  const standing = (limit: number, count: number, length: number): Standing => ({
    limit,
    remaining: Math.max(0, limit - count),
    resetAt: windowEnd(now, length)
  })
  const isBanned = ban !== undefined && ban.until > now
  if (!isBanned && used.minute < quota.perMinute && used.day < quota.perDay) {
    const minute = standing(quota.perMinute, used.minute + 1, MINUTE)
    const day = standing(quota.perDay, used.day + 1, DAY)
    const { limit, remaining, resetAt } = minute.remaining < day.remaining ? minute : day
    return { verdict: 'admitted', at: now, windows: { minute, day }, limit, remaining, resetAt }
  }
  const before = { minute: standing(quota.perMinute, used.minute, MINUTE), day: standing(quota.perDay, used.day, DAY) }
  if (isBanned) {
    const refused = { limit: quota.perMinute, remaining: 0, resetAt: ban.until }
    return { verdict: 'banned', at: now, windows: before, ...refused }
  }
  if (before.day.remaining === 0) return { verdict: 'limited', at: now, windows: before, ...before.day }
  return { verdict: 'limited', at: now, windows: before, ...before.minute }
}
