/** What a response says of the limits of its caller. */
export interface Limits {
  /** The limit of the window that has the least left. */
  limit: number
  /** How many requests remain in that window. */
  remaining: number
  /** When that window ends. */
  reset: Date
  /** Every window of the caller. */
  windows: LimitWindow[]
}

/** A time in which a caller may send so many requests. */
export interface LimitWindow {
  /** Such as `minute`. */
  name: string
  limit: number
  remaining: number
  /** How long the window is. */
  seconds: number
  reset: Date
}

/**
 * Gives what a response says of the limits of its caller; undefined when it says nothing, because it does not come from
 * the service.
 */
export function limitsOf ({ headers }: Response): Limits | undefined {
  const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map((name) => headers.get(`X-RateLimit-${name}`))
  if (limit == null || remaining == null || reset == null) return undefined
  const states = windowsIn(headers.get('RateLimit'))
  const windows = [...windowsIn(headers.get('RateLimit-Policy'))].map(([name, { q = 0, w = 0 }]) => {
    const { r = q, t = w } = states.get(name) ?? {}
    return { name, limit: q, remaining: r, seconds: w, reset: new Date(Date.now() + t * 1_000) }
  })
  return { limit: Number(limit), remaining: Number(remaining), reset: new Date(Number(reset) * 1_000), windows }
}

/** Reads `"minute";q=60;w=60, "day";q=1000;w=86400`, as the IETF draft ratelimit-headers has it. */
function windowsIn (header: string | null): Map<string, Record<string, number>> {
  return new Map(
    [...(header ?? '').matchAll(/"([^"]*)"([^,]*)/g)].map(([, name, parameters]) => [
      name!,
      Object.fromEntries([...parameters!.matchAll(/(\w+)=(\d+)/g)].map(([, key, value]) => [key!, Number(value)]))
    ])
  )
}
