import { DAY, MINUTE } from './windows.js'

/** A key that goes on after its 429s is refused for a while (contract, section 8). */
export interface Ban {
  /** Which of {@link BAN_LENGTHS} it was, from 1. */
  level: number
  /** Milliseconds since 1970. */
  until: number
}

/** How many refusals in one minute bring a ban. */
export const STRIKES = 10
/**
 * How long after the first refusal of a minute further ones do not count towards a ban, in milliseconds: their requests
 * were already on their way.
 */
export const BAN_GRACE = 1_000

/** The refusals of a key in one minute. */
export interface Refusals {
  /** Those that count towards a ban. */
  strikes: number
  /** When the first one was, in milliseconds since 1970; undefined before it. */
  firstAt?: number
}

/** Adds a refusal, and returns the number of strikes; 0 while none counts. */
export function addRefusal (refusals: Refusals, now: number): number {
  refusals.firstAt ??= now
  if (now - refusals.firstAt >= BAN_GRACE) refusals.strikes++
  return refusals.strikes
}

/**
 * Each further ban is longer, in milliseconds; a day without one takes a step back. Calls during a ban do not lengthen
 * it.
 */
export const BAN_LENGTHS: readonly number[] = [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, DAY]

/** Gives the ban of a key from its last one; undefined stands for a key that had none. */
export function nextBan (before: Ban | undefined, now: number): Ban {
  const cleanDays = before ? Math.floor(Math.max(0, now - before.until) / DAY) : 0
  const level = Math.min(Math.max(0, (before?.level ?? 0) - cleanDays) + 1, BAN_LENGTHS.length)
  return { level, until: now + BAN_LENGTHS[level - 1]! }
}
