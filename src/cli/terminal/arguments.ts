import { InvalidArgumentError } from 'commander'
import { withoutSecrets } from '../../domain/api-keys.js'
import { SCOPE_NAMES, type Scope } from '../../domain/scopes.js'
import { DAY, MINUTE } from '../../domain/windows.js'
import { escapeInvisible } from './invisible.js'

/** A date, or a date and a time with its offset from UTC. */
const INSTANT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/
/** Milliseconds. */
const UNITS: Record<string, number> = { s: 1_000, m: MINUTE, h: 60 * MINUTE, d: DAY }

/** Reads a whole number of at least 1. */
export function parsePositiveInteger (text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.')
  return Number(text)
}

/** Reads the name of a key. */
export function parseKeyName (text: string): string {
  if (text.trim() === '' || text.length > 100 || text.includes('\n') || escapeInvisible(text) !== text) {
    throw new InvalidArgumentError('It must have 1 to 100 characters, none of them invisible.')
  }
  if (withoutSecrets(text) !== text) throw new InvalidArgumentError('It must not be the secret of a key.')
  return text
}

/** Reads the name of somebody. */
export const parseAuthor = parseKeyName

/** Reads `all`, which gives null, or some scopes with commas between them, which come in the order of the table. */
export function parseScopes (text: string): Scope[] | null {
  if (text === 'all') return null
  const names = text.split(',').map((name) => name.trim())
  if (names.every((name) => SCOPE_NAMES.includes(name as Scope))) {
    return SCOPE_NAMES.filter((scope) => names.includes(scope))
  }
  throw new InvalidArgumentError(`It must be all, or some of: ${SCOPE_NAMES.join(',')}.`)
}

/** Reads a duration such as `90s`, `15m`, `24h` or `30d`, and gives it in milliseconds. */
export function parseDuration (text: string): number {
  const [, count, unit] = /^(\d{1,5})([smhd])$/.exec(text) ?? []
  if (!count || !unit) throw new InvalidArgumentError('It must be a number with a unit: 90s, 15m, 24h or 30d.')
  return Number(count) * UNITS[unit]!
}

/** Reads when a key ends: a duration from now, a date (00:00 UTC), an instant, or `never`, which gives null. */
export function parseExpiry (text: string, now: number): Date | null {
  if (text === 'never') return null
  if (/^\d+[a-z]$/.test(text)) return new Date(now + parseDuration(text))
  const date = new Date(text)
  if (!INSTANT.test(text) || Number.isNaN(date.valueOf()) || !isDay(text.slice(0, 10))) {
    throw new InvalidArgumentError(
      'It must be a duration (30d), a date (2027-01-31), an instant (2027-01-31T12:00:00Z) or never.'
    )
  }
  return date
}

/** Whether a date is in the calendar, as 30 February is not. */
function isDay (day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
