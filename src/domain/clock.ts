/** Tells the time. Whatever depends on the time is given a clock, so that a test can set it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z; never less than it said before. */
  now(): number
  /** The time that callers and their machines go by, which may go back; absent where it is that of `now`. */
  wall?(): number
}

export const systemClock: Clock = { now: Date.now }

/**
 * Makes a clock that never goes back, so that no window comes twice. It follows the clock on the wall, forward steps
 * included; when that is set back, it runs on from where it was at the pace of `monotonic`, until the one on the wall
 * has caught up. `onStepBack` is told of each step once.
 */
export function steadyClock (
  wall: () => number,
  monotonic: () => number,
  onStepBack: (milliseconds: number) => void
): Clock {
  let last = wall()
  let readAt = monotonic()
  let ahead = false
  return {
    now () {
      const seen = wall()
      const elapsed = monotonic() - readAt
      readAt += elapsed
      if (seen < last && !ahead) onStepBack(last - seen)
      ahead = seen < last
      last = ahead ? last + elapsed : seen
      return Math.floor(last)
    },
    wall
  }
}
