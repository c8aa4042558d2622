import { linkOf } from './links.js'

/** What a response says of a deprecated operation. */
export interface Deprecation {
  /** Since when the operation is deprecated (RFC 9745). */
  since: Date
  /** When it is to be removed (RFC 8594). */
  sunset: Date | undefined
  /** The address of what to call instead. */
  successor: string | undefined
  /** The address of a page that tells more. */
  notice: string | undefined
}

/** Gives what a response says of the deprecation of its operation; undefined when the operation is not deprecated. */
export function deprecationOf (response: Response): Deprecation | undefined {
  const [, seconds] = /^@(\d+)$/.exec(response.headers.get('Deprecation') ?? '') ?? []
  if (seconds === undefined) return undefined
  const sunset = response.headers.get('Sunset')
  return {
    since: new Date(Number(seconds) * 1_000),
    sunset: sunset === null ? undefined : new Date(sunset),
    successor: linkOf(response, 'successor-version'),
    notice: linkOf(response, 'deprecation')
  }
}

/**
 * Makes a function that warns the developer on the console when a response is that of a deprecated operation: once for
 * each operation, and never in production, as bundlers and Node.js tell it by NODE_ENV.
 */
export function deprecationWarner (): (call: string, response: Response) => void {
  const warned = new Set<string>()
  return (call, response) => {
    const deprecation = warned.has(call) ? undefined : deprecationOf(response)
    if (!deprecation || !isDevelopment()) return
    warned.add(call)
    const { sunset, notice } = deprecation
    const end = sunset ? ` and is to be removed on ${sunset.toISOString().slice(0, 10)}` : ''
    console.warn(`${call} is deprecated${end}.${notice ? ` See ${notice}` : ''}`)
  }
}

function isDevelopment (): boolean {
  try {
    // Bundlers replace this very expression by a word. A browser without one has no process.
    return process.env.NODE_ENV !== 'production'
  } catch {
    return false
  }
}
