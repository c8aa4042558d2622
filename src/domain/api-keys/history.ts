import type { ApiKey, ApiKeyRepository } from '../api-keys.js'
import type { Clock } from '../clock.js'

/** What was done to a key. */
export type KeyAction = 'create' | 'rotate' | 'rename' | 'plan' | 'scopes' | 'expire' | 'ban' | 'unban' | 'revoke'

/** Who has made a change that a server made by itself. */
export const SERVER = 'server'

/** What people see of a key, as far as it can change: nothing of it is secret. Times are ISO 8601. */
export type KeyFields = Record<string, string | number | string[] | null>

/** A change of a key that was made. */
export interface KeyChange {
  at: Date
  by: string
  action: KeyAction
  /** The fields that have changed, as they were and as they became; a key that was made had none. */
  from: KeyFields
  to: KeyFields
}

/** The port to the changes of API keys. Each method rejects with StorageUnavailable when the storage fails. */
export interface KeyHistoryRepository {
  /** All changes of a key that are kept, the oldest first. */
  changesOf(keyId: string): Promise<KeyChange[]>
  /** The API keys, each change of which is kept from now on in the same transaction, with who made it. */
  recordedBy(by: string, clock: Clock): ApiKeyRepository
}

/** Gives what of a key can change, as people see it. */
export function fieldsOf ({ name, plan, quota, scopes, last4, expiresAt, revokedAt, ban }: ApiKey): KeyFields {
  return {
    name,
    plan,
    ...quota,
    scopes: scopes ?? ['all'],
    last4,
    expires: expiresAt?.toISOString() ?? null,
    revoked: revokedAt?.toISOString() ?? null,
    bannedUntil: ban ? new Date(ban.until).toISOString() : null
  }
}

/** Gives the fields that two states of a key do not share, of each state. */
export function differenceOf (before: KeyFields, after: KeyFields): { from: KeyFields; to: KeyFields } {
  const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const pick = (fields: KeyFields) => Object.fromEntries(names.map((name) => [name, fields[name]!]))
  return { from: pick(before), to: pick(after) }
}
