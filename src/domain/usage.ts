import type { Ban } from './bans.js'
import type { Quota } from './plans.js'

/** Fixed windows, aligned to UTC: a minute begins at second 0, a day at 00:00. Lengths in milliseconds. */
export const MINUTE = 60_000
export const DAY = 86_400_000

/** Where a caller stands in a window (contract, section 8). */
export interface Standing {
  limit: number
  remaining: number
  /** When the window ends, in milliseconds since 1970. */
  resetAt: number
}

export type Windows = { minute: Standing; day?: Standing }

/** The verdict on a request; its own figures are those of the X-RateLimit headers. */
export interface Decision extends Standing {
  verdict: 'admitted' | 'limited' | 'banned'
  windows: Windows
  /** When it was given, by the clock of the counters, in milliseconds since 1970. */
  at: number
  /** The ban that this very request brought. */
  ban?: Ban
}

/** Whom the counters are for. */
export interface Counted {
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
  charge(key: Counted, now: number): Promise<Decision>
  /**
   * By key id: the requests of today, as far as they are in the database (up to a block more than were made, or as they
   * were some seconds ago), and the minute of the newest admitted one, in milliseconds since 1970. Keys that were never
   * used are not in it.
   */
  usageOf(now: number): Promise<Map<string, { today: number; lastUsedAt: number }>>
}

export function windowStart (now: number, length: number): number {
  return now - (now % length)
}

/** The end of the window of this length in which `now` lies. */
export function windowEnd (now: number, length: number): number {
  return windowStart(now, length) + length
}

/**
 * The verdict on a request, given what was used before it. An admitted one tells of the window with less left (tie: the
 * longer), a refused one of the spent window that ends last, a banned one of the end of its ban.
 */
export function decide (
  { quota, ban }: Omit<Counted, 'id'>,
  used: { minute: number; day: number },
  now: number
): Decision {
  const standing = (limit: number, count: number, length: number): Standing => ({
    limit,
    remaining: Math.max(0, limit - count),
    resetAt: windowEnd(now, length)
  })
  const before = { minute: standing(quota.perMinute, used.minute, MINUTE), day: standing(quota.perDay, used.day, DAY) }
  if (ban && ban.until > now) {
    const closed = (window: Standing): Standing => ({
      ...window,
      remaining: 0,
      resetAt: Math.max(window.resetAt, ban.until)
    })
    return {
      verdict: 'banned',
      at: now,
      windows: { minute: closed(before.minute), day: closed(before.day) },
      limit: quota.perMinute,
      remaining: 0,
      resetAt: ban.until
    }
  }
  if (before.day.remaining === 0) return { verdict: 'limited', at: now, windows: before, ...before.day }
  if (before.minute.remaining === 0) return { verdict: 'limited', at: now, windows: before, ...before.minute }
  const windows = {
    minute: standing(quota.perMinute, used.minute + 1, MINUTE),
    day: standing(quota.perDay, used.day + 1, DAY)
  }
  return {
    verdict: 'admitted',
    at: now,
    windows,
    ...(windows.minute.remaining < windows.day.remaining ? windows.minute : windows.day)
  }
}
