import { isValid, type ApiKey, type TooManyOverlaps } from '../../domain/api-keys.js'
import type { Ban } from '../../domain/bans.js'
import { fits, tableOf } from './table.js'

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
  /** When each secret before the newest ends that is still good. */
  previousSecretsUntil: string[]
  valid: boolean
}

/** What is kept beside a key: how it was used, if ever, and until when secrets before its newest are good. */
export interface KeyRecords {
  usage?: { today: number; lastUsedAt: number } | undefined
  overlaps?: Date[] | undefined
}

/** Gives what is shown of a key at a time. */
export function viewOf (key: ApiKey, { usage, overlaps = [] }: KeyRecords, now: number): KeyView {
  const valid = isValid(key, now)
  const banned = key.ban !== undefined && key.ban.until > now
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
    previousSecretsUntil: valid ? overlaps.map((end) => earlier(end, key.expiresAt).toISOString()) : [],
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
export function rotatedText ({ id, name, previousSecretsUntil: ends }: KeyView, secret: string): string {
  const others = ends.length === 1 ? 'One' : ends.length
  const before =
    ends.length === 0
      ? 'None before it is good any more.'
      : `${others} before it ${ends.length === 1 ? 'is' : 'are'} good until ${timesText(ends)}.`
  return withSecret(`${id} (${name}) has a new secret. ${before}`, secret)
}

/** Says why a key gets no new secret now, and what to do. */
export function tooManyText (id: string, { ends }: TooManyOverlaps): string {
  const times = timesText(ends.map((end) => end.toISOString()))
  return (
    `${ends.length} secrets of ${id} are good besides its newest, and no more may be. They end at ${times}. ` +
    'Rotate again when one has ended, or end them all now with --end-overlaps.'
  )
}

/** Says what the end of a ban has changed for a key that had this one, if any. */
export function unbannedText (ban: Ban | undefined, now: number): string {
  if (!ban) return 'was not banned.'
  const until = new Date(ban.until).toISOString()
  return ban.until > now
    ? `is not banned any more; it was until ${until}.`
    : `was not banned; its last ban, which ended at ${until}, is forgotten.`
}

function withSecret (sentence: string, secret: string): string {
  return `${sentence}\n\n  ${secret}\n\nKeep it now: it is stored only as a hash and cannot be shown again.`
}

/**
 * Writes one line for each key, or, where a terminal has fewer columns than that takes, everything about each key, so
 * that no line is broken within a word.
 */
export function listText (keys: KeyView[], columns = Infinity): string {
  const table = tableOf(
    ['ID', 'NAME', 'PLAN', 'SCOPES', 'LAST 4', 'CREATED', 'LAST USED', 'TODAY', 'STATE'],
    keys.map((key) => [
      key.id,
      key.name,
      key.plan,
      key.scopes.join(','),
      key.last4,
      second(key.created),
      second(key.lastUsed),
      `${key.usedToday} of ${key.perDay}`,
      stateOf(key)
    ])
  )
  return fits(table, columns) ? table : keys.map(keyText).join('\n\n')
}

/** Writes everything about one key, a line each. */
export function keyText (key: KeyView): string {
  return tableOf(
    ['id', key.id],
    [
      ['name', key.name],
      ['plan', `${key.plan}: ${limitsText(key)}`],
      ['scopes', key.scopes.join(', ')],
      ['secret', `ends with ${key.last4}`],
      ...counted(key.previousSecretsUntil.map(second)).map(([end, count]) => [
        '',
        `${count === 1 ? 'one before is' : `${count} before are`} good until ${end}`
      ]),
      ['created', second(key.created)],
      ['last used', second(key.lastUsed)],
      ['used today', `${key.usedToday} of ${key.perDay}`],
      ['state', stateOf(key)]
    ]
  )
}

/** Writes times in a sentence, each once. */
function timesText (times: string[]): string {
  return counted(times)
    .map(([time, count]) => (count === 1 ? time : `${time} (${count} of them)`))
    .join(', ')
}

/** Gives each text once, with the number of times that it is there. */
function counted (texts: string[]): [text: string, count: number][] {
  return [...new Set(texts)].map((text) => [text, texts.filter((other) => other === text).length])
}

/** The states of a key, of which it is always in one. */
export const KEY_STATES = ['active', 'banned', 'expired', 'revoked'] as const
/** The state of a key. */
export type KeyState = (typeof KEY_STATES)[number]

/** Gives the state of a key. */
export function keyStateOf ({ revoked, valid, bannedUntil }: KeyView): KeyState {
  if (revoked) return 'revoked'
  if (!valid) return 'expired'
  return bannedUntil ? 'banned' : 'active'
}

/** Says in which state a key is, and since or until when. */
export function stateOf ({ revoked, expires, bannedUntil, valid }: KeyView): string {
  if (revoked) return `revoked ${second(revoked)}`
  if (!valid) return `expired ${second(expires)}`
  if (bannedUntil) return `banned until ${second(bannedUntil)}`
  return expires ? `expires ${second(expires)}` : 'active'
}

/** `2026-03-04 10:20:30Z`: to the second, in UTC. */
export function second (iso: string | null): string {
  return iso === null ? 'never' : iso.slice(0, 19).replace('T', ' ') + 'Z'
}
