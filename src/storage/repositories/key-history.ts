import type { ApiKey, ApiKeyRepository, KeyChanges } from '../../domain/api-keys.js'
import type { Clock } from '../../domain/clock.js'
import {
  differenceOf,
  fieldsOf,
  type KeyAction,
  type KeyChange,
  type KeyFields,
  type KeyHistoryRepository
} from '../../domain/api-keys/history.js'
import type { AtomicDatabase } from '../database/atomic.js'
import type { Row } from '../database/database.js'
import { keepChange } from '../database/key-changes.js'

/** Makes the repository of the changes of API keys, over the keys in the same database. */
export function keyHistoryRepository (database: AtomicDatabase, apiKeys: ApiKeyRepository): KeyHistoryRepository {
  return {
    async changesOf (keyId) {
      const rows = await database.read(
        'SELECT changed_at, changed_by, action, before, after FROM key_changes WHERE key_id = $1 ORDER BY id',
        [keyId]
      )
      return rows.map(toChange)
    },

    recordedBy: (by, clock) => recorded(database, apiKeys, by, clock)
  }
}

function recorded (database: AtomicDatabase, apiKeys: ApiKeyRepository, by: string, clock: Clock): ApiKeyRepository {
  const record = (keyId: string, action: KeyAction, from: KeyFields, to: KeyFields): Promise<void> =>
    keepChange(database, keyId, { at: new Date(clock.now()), by, action, from, to })
  /** Runs a change and keeps what it has changed, if anything, and what the change itself adds to that. */
  const recordChange = (
    id: string,
    action: KeyAction,
    change: () => Promise<ApiKey | undefined>,
    more: KeyFields = {}
  ): Promise<ApiKey | undefined> =>
    database.atomically(async () => {
      // It writes before it reads, so that on PostgreSQL another change of the same key waits for this one.
      await database.write('UPDATE api_keys SET id = id WHERE id = $1', [id])
      const before = await apiKeys.find(id)
      const after = await change()
      if (!before || !after) return undefined
      const { from, to } = differenceOf(fieldsOf(before), fieldsOf(after))
      if (Object.keys(to).length > 0) await record(id, action, from, { ...to, ...more })
      return after
    })

  return {
    ...apiKeys,

    create: (key, hash) =>
      database.atomically(async () => {
        await apiKeys.create(key, hash)
        await record(key.id, 'create', {}, fieldsOf(key))
      }),

    change: (id, changes) => recordChange(id, actionOf(changes), () => apiKeys.change(id, changes)),

    revoke: (id, at) => recordChange(id, 'revoke', () => apiKeys.revoke(id, at)),

    rotate: (id, secret, rotation) =>
      recordChange(id, 'rotate', () => apiKeys.rotate(id, secret, rotation), {
        previousSecretUntil: rotation.goodUntil.toISOString(),
        ...(rotation.keepOverlaps ? {} : { earlierSecrets: 'ended' })
      })
  }
}

function actionOf (changes: KeyChanges): KeyAction {
  if (changes.name !== undefined) return 'rename'
  if (changes.plan !== undefined) return 'plan'
  if (changes.scopes !== undefined) return 'scopes'
  return changes.ban === null ? 'unban' : 'expire'
}

function toChange (row: Row): KeyChange {
  return {
    at: new Date(Number(row.changed_at)),
    by: row.changed_by as string,
    action: row.action as KeyAction,
    from: JSON.parse(row.before as string) as KeyFields,
    to: JSON.parse(row.after as string) as KeyFields
  }
}
