/** The lengths of the two windows in which requests are counted (contract, section 8), in milliseconds. */
export const MINUTE = 60_000
export const DAY = 86_400_000

/** Gives the beginning of the window in which `now` lies: a minute begins at second 0, a day at 00:00 UTC. */
export function windowStart (now: number, length: number): number {
  return now - (now % length)
}

/** Gives the end of the window in which `now` lies: the beginning of the next one. */
export function windowEnd (now: number, length: number): number {
  return windowStart(now, length) + length
}
