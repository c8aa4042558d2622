import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { IsCurrent } from './snapshot.js'
import type { Ban } from './bans.js'
import type { Plan, Quota } from './plans.js'
import type { Scope } from './scopes.js'

/** What is kept of an API key. The secret itself is shown once and never stored. */
export interface ApiKey {
  /** Public name of the key: for the CLI, the logs and the counters. */
  id: string
  /** What its secrets begin with: pet_live_ or pet_test_. */
  kind: 'live' | 'test'
  name: string
  plan: Plan
  quota: Quota
  /** What it may be used for; none named is everything, scopes of later versions too. */
  scopes?: Scope[]
  /** The last four characters of the secret, for people to recognise it. */
  last4: string
  createdAt: Date
  expiresAt?: Date
  revokedAt?: Date
  /** The newest ban, over or not. */
  ban?: Ban
}

/** How many secrets of a key may be good besides its newest, each until the end of the overlap that was promised. */
export const MOST_OVERLAPS = 5

/** A key cannot get another secret now: {@link MOST_OVERLAPS} of those before are still good, until these times. */
export class TooManyOverlaps extends Error {
  override readonly name = 'TooManyOverlaps'

  constructor (readonly ends: Date[]) {
    super(`${ends.length} secrets before the newest are still good.`)
  }
}

/** What comes with a rotation. */
export interface Rotation {
  now: Date
  /** Until when the secret that is replaced stays good. */
  goodUntil: Date
  /** Whether the secrets of earlier rotations stay good, as it was promised then, or end now. */
  keepOverlaps: boolean
}

/**
 * Returns until when the secrets before the newest are good after a rotation.
 * @throws {TooManyOverlaps} when too many would be
 */
export function overlapsAfter ({ now, goodUntil, keepOverlaps }: Rotation, before: Date[]): Date[] {
  const kept = keepOverlaps ? before.filter((end) => end > now) : []
  const ends = goodUntil > now ? [...kept, goodUntil] : kept
  if (ends.length > MOST_OVERLAPS) throw new TooManyOverlaps(kept.sort((one, other) => one.valueOf() - other.valueOf()))
  return ends.sort((one, other) => one.valueOf() - other.valueOf())
}

/** What of a key can be changed; null takes a date, a ban or the limit to some scopes away. */
export interface KeyChanges {
  name?: string
  plan?: Plan
  quota?: Quota
  scopes?: Scope[] | null
  expiresAt?: Date | null
  ban?: null
}

/** The port to the API keys. Each method rejects with StorageUnavailable when the storage fails. */
export interface ApiKeyRepository {
  create(key: ApiKey, hash: string): Promise<void>
  /**
   * The key whose secret has this hash, revoked or expired or not; undefined when there is none. Found by a secret of
   * before a rotation, it expires when the overlap ends.
   */
  findByHash(hash: string): Promise<ApiKey | undefined>
  /** Returns what tells whether every key is as it is now; undefined where the storage cannot tell. */
  mark(): IsCurrent | undefined
  find(id: string): Promise<ApiKey | undefined>
  /** Whether there is no key. */
  isEmpty(): Promise<boolean>
  /** All keys, oldest first. */
  list(): Promise<ApiKey[]>
  /** Each of these applies from the next request on, and gives undefined when there is no such key. */
  change(id: string, changes: KeyChanges): Promise<ApiKey | undefined>
  /** Refuses the key for ever. A key that is revoked already keeps its first date. */
  revoke(id: string, at: Date): Promise<ApiKey | undefined>
  /** Replaces the secret. Rejects with {@link TooManyOverlaps}, and changes nothing, when too many would be good. */
  rotate(id: string, secret: { hash: string; last4: string }, rotation: Rotation): Promise<ApiKey | undefined>
  /** By key id: until when each secret before the newest is still good, the first to end first. */
  overlaps(now: Date): Promise<Map<string, Date[]>>
}

/** Whether a key may be used at a time: it is not revoked and has not expired. */
export function isValid ({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt.valueOf() > now)
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET = /^pet_(live|test)_[0-9A-Za-z]{38}$/

/** Makes a secret: `pet_live_` or `pet_test_`, 32 random base62 characters (190 bits) and 6 of checksum. */
export function newSecret (kind: ApiKey['kind']): string {
  const random = `pet_${kind}_${randomText(32)}`
  return random + checksum(random)
}

/** Makes the public name of a key. */
export function newKeyId (): string {
  return `key_${randomText(16)}`
}

/** Whether the text has the form and the checksum of a secret: typing errors and junk need no look-up. */
export function isSecret (text: string): boolean {
  return SECRET.test(text) && checksum(text.slice(0, -6)) === text.slice(-6)
}

/**
 * Gives the hash that is kept in the place of a secret, or of a text with one in it. The 190 random bits of a secret
 * need no slow hash, and a hash without salt can be looked up by index.
 */
export function sha256 (text: string): string {
  return hash('sha256', text, 'hex')
}

/** Writes `[key]` in the place of all that looks like a secret in a text, also percent-encoded up to three times. */
export function withoutSecrets (text: string): string {
  if (!/%|pet_/i.test(text)) return text
  let plain = text
  for (let round = 0; round < 3; round++) {
    plain = plain.replaceAll(/%(?:25|3\d|[46][1-9a-f]|[57][0-9a]|5f)/gi, decodeURIComponent)
  }
  const clean = plain.replaceAll(/pet_(?:live|test)_[0-9A-Za-z]*/gi, '[key]')
  return clean === plain ? text : clean
}

function randomText (length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(62)]).join('')
}

/** Gives the CRC-32 of a text in six base62 digits. */
function checksum (text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
