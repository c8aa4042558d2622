/** The time. The one place that tells it, so that tests can. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now (): number
}

export const systemClock: Clock = { now: Date.now }
