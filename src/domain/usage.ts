import type { Quota } from './plans.js'

/** Fixed windows, aligned to UTC: a minute begins at second 0, a day at 00:00. Lengths in milliseconds. */
export const MINUTE = 60_000
export const DAY = 86_400_000

/** Where a caller stands: the figures of the three X-RateLimit headers (contract, section 8). */
export interface Standing {
  limit: number
  remaining: number
  /** When the window ends, in milliseconds since 1970. */
  resetAt: number
}

export interface Decision extends Standing { admitted: boolean }

/** The port to the counters of the API keys. */
export interface UsageRepository {
  /** Decides both windows of a key in one step and counts the request in both, or in neither when one of them is spent. */
  charge (keyId: string, quota: Quota, now: number): Promise<Decision>
}

/** How often a caller was counted in the window that began at `start`. */
export interface Count { start: number, used: number }

/** The end of the window of this length in which `now` lies. */
export function windowEnd (now: number, length: number): number {
  return windowStart(now, length) + length
}

export function windowStart (now: number, length: number): number {
  return now - now % length
}

/**
 * The verdict on a request, given what was used before it. An admitted one tells of the window with less left (tie: the longer),
 * a refused one of the spent window that ends last.
 */
export function decide (used: { minute: number, day: number }, quota: Quota, now: number): Decision {
  const minute: Standing = { limit: quota.perMinute, remaining: quota.perMinute - used.minute, resetAt: windowEnd(now, MINUTE) }
  const day: Standing = { limit: quota.perDay, remaining: quota.perDay - used.day, resetAt: windowEnd(now, DAY) }
  if (day.remaining <= 0) return { ...day, remaining: 0, admitted: false }
  if (minute.remaining <= 0) return { ...minute, remaining: 0, admitted: false }
  const tightest = minute.remaining < day.remaining ? minute : day
  return { ...tightest, remaining: tightest.remaining - 1, admitted: true }
}
