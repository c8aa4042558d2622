import { isValid, type ApiKey } from '../../domain/api-keys.js'
import { tableOf } from './table.js'

/** What is shown of a key, to a person or a program: everything but its secret. Times are ISO 8601. */
export interface KeyView {
  id: string
  name: string
  plan: string
  perMinute: number
  perDay: number
  scopes: string[]
  last4: string
  created: string
  lastUsed: string | null
  usedToday: number
  expires: string | null
  revoked: string | null
  bannedUntil: string | null
  previousSecretUntil: string | null
  valid: boolean
}

/** Gives what is shown of a key at a time; `usage` is undefined where it was never used. */
export function viewOf (
  key: ApiKey,
  usage: { today: number; lastUsedAt: number } | undefined,
  now: number
): KeyView {
  const valid = isValid(key, now)
  const banned = key.ban !== undefined && key.ban.until > now
  const overlaps = valid && key.previousUntil !== undefined && key.previousUntil.valueOf() > now
  return {
    id: key.id,
    name: key.name,
    plan: key.plan,
    perMinute: key.quota.perMinute,
    perDay: key.quota.perDay,
    scopes: key.scopes ?? ['all'],
    last4: key.last4,
    created: key.createdAt.toISOString(),
    lastUsed: usage ? new Date(usage.lastUsedAt).toISOString() : null,
    usedToday: usage?.today ?? 0,
    expires: key.expiresAt?.toISOString() ?? null,
    revoked: key.revokedAt?.toISOString() ?? null,
    bannedUntil: banned ? new Date(key.ban!.until).toISOString() : null,
    previousSecretUntil: overlaps ? earlier(key.previousUntil!, key.expiresAt).toISOString() : null,
    valid
  }
}

function earlier (date: Date, other: Date | undefined): Date {
  return other && other < date ? other : date
}

/** Says how much a key may be used. */
export function limitsText ({ perMinute, perDay }: KeyView): string {
  return `${perMinute} requests a minute, ${perDay} a day`
}

/** Tells of a new key, with its secret. */
export function createdText (key: KeyView, secret: string): string {
  const scopes = key.scopes.includes('all') ? '' : ` Scopes: ${key.scopes.join(', ')}.`
  return withSecret(`Made ${key.id} (${key.name}), plan ${key.plan}: ${limitsText(key)}.${scopes}`, secret)
}

/** Tells of the new secret of a key. */
export function rotatedText ({ id, name, previousSecretUntil: until }: KeyView, secret: string): string {
  const before = until ? `good until ${until}` : 'not good any more'
  return withSecret(`${id} (${name}) has a new secret. The one before is ${before}.`, secret)
}

function withSecret (sentence: string, secret: string): string {
  return `${sentence}\n\n  ${secret}\n\nKeep it now: it is stored only as a hash and cannot be shown again.`
}

/** Writes one line for each key. */
export function listText (keys: KeyView[]): string {
  if (keys.length === 0) return 'There are no keys. Make one with: keys create'
  return tableOf(
    ['ID', 'NAME', 'PLAN', 'SCOPES', 'LAST 4', 'CREATED', 'LAST USED', 'TODAY', 'STATE'],
    keys.map((key) => [
      key.id,
      key.name,
      key.plan,
      key.scopes.join(','),
      key.last4,
      minute(key.created),
      minute(key.lastUsed),
      `${key.usedToday} of ${key.perDay}`,
      stateOf(key)
    ])
  )
}

/** Writes everything about one key, a line each. */
export function keyText (key: KeyView): string {
  const before = key.previousSecretUntil
  const secrets = `ends with ${key.last4}${before ? `; the one before is good until ${minute(before)}` : ''}`
  return tableOf(
    ['id', key.id],
    [
      ['name', key.name],
      ['plan', `${key.plan}: ${limitsText(key)}`],
      ['scopes', key.scopes.join(', ')],
      ['secret', secrets],
      ['created', minute(key.created)],
      ['last used', minute(key.lastUsed)],
      ['used today', `${key.usedToday} of ${key.perDay}`],
      ['state', stateOf(key)]
    ]
  )
}

function stateOf ({ revoked, expires, bannedUntil, valid }: KeyView): string {
  if (revoked) return `revoked ${minute(revoked)}`
  if (!valid) return `expired ${minute(expires)}`
  if (bannedUntil) return `banned until ${minute(bannedUntil)}`
  return expires ? `expires ${minute(expires)}` : 'active'
}

/** `2026-03-04 10:20Z`: to the minute, in UTC. */
function minute (iso: string | null): string {
  return iso === null ? 'never' : iso.slice(0, 16).replace('T', ' ') + 'Z'
}
