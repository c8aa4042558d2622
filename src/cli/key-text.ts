import { isValid, type ApiKey } from '../domain/api-keys.js'
import { tableOf } from './table.js'

/** What a person or a program is shown of a key; never its secret. */
export function shown (key: ApiKey, usage: { today: number; lastUsedAt: number } | undefined, now: number) {
  const iso = (date: Date | undefined) => date?.toISOString() ?? null
  return {
    id: key.id,
    name: key.name,
    plan: key.plan,
    perMinute: key.quota.perMinute,
    perDay: key.quota.perDay,
    scopes: key.scopes ?? ['all'],
    last4: key.last4,
    created: iso(key.createdAt),
    lastUsed: usage ? new Date(usage.lastUsedAt).toISOString() : null,
    usedToday: usage?.today ?? 0,
    expires: iso(key.expiresAt),
    revoked: iso(key.revokedAt),
    bannedUntil: key.ban && key.ban.until > now ? new Date(key.ban.until).toISOString() : null,
    previousSecretUntil:
      key.previousUntil && key.previousUntil.valueOf() > now && isValid(key, now)
        ? iso(earlier(key.previousUntil, key.expiresAt))
        : null,
    valid: isValid(key, now)
  }
}

export type Shown = ReturnType<typeof shown>

function earlier (date: Date, other: Date | undefined): Date {
  return other && other < date ? other : date
}

/** One line for each key. */
export function listText (keys: Shown[]): string {
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

/** Everything about one key, a line each. */
export function keyText (key: Shown): string {
  return tableOf(
    ['id', key.id],
    [
      ['name', key.name],
      ['plan', `${key.plan}: ${key.perMinute} requests a minute, ${key.perDay} a day`],
      ['scopes', key.scopes.join(', ')],
      [
        'secret',
        `ends with ${key.last4}${key.previousSecretUntil ? `; the one before is good until ${minute(key.previousSecretUntil)}` : ''}`
      ],
      ['created', minute(key.created)],
      ['last used', minute(key.lastUsed)],
      ['used today', `${key.usedToday} of ${key.perDay}`],
      ['state', stateOf(key)]
    ]
  )
}

function stateOf ({ revoked, expires, bannedUntil, valid }: Shown): string {
  if (revoked) return `revoked ${minute(revoked)}`
  if (!valid) return `expired ${minute(expires)}`
  if (bannedUntil) return `banned until ${minute(bannedUntil)}`
  return expires ? `expires ${minute(expires)}` : 'active'
}

/** `2026-03-04 10:20Z`: to the minute, in UTC. */
function minute (iso: string | null): string {
  return iso === null ? 'never' : iso.slice(0, 16).replace('T', ' ') + 'Z'
}
