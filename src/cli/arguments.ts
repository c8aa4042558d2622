import { InvalidArgumentError } from 'commander'
import { SCOPE_NAMES, type Scope } from '../domain/scopes.js'

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads a whole number of at least 1. */
export function countOf (text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.')
  return Number(text)
}

/** Reads what a key is called. */
export function nameOf (text: string): string {
  if (text.trim() === '' || text.length > 100 || /\p{Cc}/u.test(text)) {
    throw new InvalidArgumentError('It must have 1 to 100 characters and no control characters.')
  }
  return text
}

/** Reads `all`, as null, or some scopes with commas between them, in the order of the table. */
export function scopesOf (text: string): Scope[] | null {
  if (text === 'all') return null
  const names = text.split(',').map((name) => name.trim())
  if (names.every((name) => SCOPE_NAMES.includes(name as Scope))) {
    return SCOPE_NAMES.filter((scope) => names.includes(scope))
  }
  throw new InvalidArgumentError(`It must be all, or some of: ${SCOPE_NAMES.join(',')}.`)
}

/** Reads `90s`, `15m`, `24h` or `30d`, in milliseconds. */
export function durationOf (text: string): number {
  const [, count, unit] = /^(\d{1,5})([smhd])$/.exec(text) ?? []
  if (!count || !unit) throw new InvalidArgumentError('It must be a number with a unit: 90s, 15m, 24h or 30d.')
  return Number(count) * UNITS[unit]!
}

/** Reads a duration from now, a date (00:00 UTC), an instant with its offset, or `never`. */
export function momentOf (text: string, now: number): Date | null {
  if (text === 'never') return null
  if (/^\d+[a-z]$/.test(text)) return new Date(now + durationOf(text))
  const date = new Date(text)
  const day = text.slice(0, 10)
  if (
    !/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text) ||
    Number.isNaN(date.valueOf()) ||
    !new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
  ) {
    throw new InvalidArgumentError(
      'It must be a duration (30d), a date (2027-01-31), an instant (2027-01-31T12:00:00Z) or never.'
    )
  }
  return date
}
