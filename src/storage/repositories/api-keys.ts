import {
  overlapsAfter,
  type ApiKey,
  type ApiKeyRepository,
  type KeyChanges
} from '../../domain/api-keys.js'
import { PLANS, type Plan, type Quota } from '../../domain/plans.js'
import type { Scope } from '../../domain/scopes.js'
import type { Database, Row, Value } from '../database/database.js'

const COLUMNS = `id, kind, name, plan, per_minute, per_day, scopes, last4, created_at, expires_at, revoked_at,
  ban_level, banned_until`

/** Makes the repository of the API keys. */
export function apiKeyRepository (database: Database): ApiKeyRepository {
  const changed = async (sql: string, values: Value[]): Promise<ApiKey | undefined> => {
    const [row] = await database.write(sql, values)
    return row && toApiKey(row)
  }
  const marks = ['api_keys', 'previous_secrets'].map((table) => database.local?.watch(table))
  /** The key of a secret that a rotation has replaced, which ends with its overlap. */
  const findByPreviousHash = async (hash: string): Promise<ApiKey | undefined> => {
    const [row] = await database.read(
      `SELECT ${COLUMNS}, good_until FROM (SELECT key_id, good_until FROM previous_secrets WHERE hash = $1) AS secret
       JOIN api_keys ON id = key_id`,
      [bytesOf(hash)]
    )
    if (!row) return undefined
    const key = toApiKey(row)
    const end = dateOf(row.good_until!)
    return key.expiresAt && key.expiresAt < end ? key : { ...key, expiresAt: end }
  }
  return {
    async create ({ id, kind, name, plan, quota, scopes, last4, createdAt, expiresAt }, hash) {
      await database.write(
        `INSERT INTO api_keys (id, kind, hash, name, plan, per_minute, per_day, scopes, last4, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [id, kind, bytesOf(hash), name, plan, ...numbersOf(plan, quota), scopes?.join(' ') ?? null, last4, createdAt.valueOf(),
          expiresAt?.valueOf() ?? null]
      )
    },

    async findByHash (hash) {
      const [row] = await database.read(`SELECT ${COLUMNS} FROM api_keys WHERE hash = $1`, [bytesOf(hash)])
      return row ? toApiKey(row) : await findByPreviousHash(hash)
    },

    mark () {
      const unchanged = marks.map((mark) => mark?.()(-Infinity, Infinity))
      return database.local && (() => unchanged.every((isCurrent) => isCurrent!()))
    },

    async find (id) {
      const [row] = await database.read(`SELECT ${COLUMNS} FROM api_keys WHERE id = $1`, [id])
      return row && toApiKey(row)
    },

    async isEmpty () {
      return (await database.read('SELECT 1 AS one FROM api_keys LIMIT 1')).length === 0
    },

    async list () {
      return (await database.read(`SELECT ${COLUMNS} FROM api_keys ORDER BY created_at, id`)).map(toApiKey)
    },

    change (id, changes) {
      const columns = Object.entries(columnsOf(changes))
      const assignments = columns.map(([name], index) => `${name} = $${index + 2}`).join(', ')
      return changed(`UPDATE api_keys SET ${assignments} WHERE id = $1 RETURNING ${COLUMNS}`, [
        id,
        ...columns.map(([, value]) => value)
      ])
    },

    revoke: (id, at) =>
      changed(`UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1 RETURNING ${COLUMNS}`, [
        id,
        at.valueOf()
      ]),

    rotate: (id, { hash, last4 }, rotation) =>
      database.transaction(async ({ read, write }) => {
        // It writes before it reads, so that on PostgreSQL another rotation of the same key waits for this one.
        const [before] = await write('UPDATE api_keys SET last4 = $2 WHERE id = $1 RETURNING hash', [id, last4])
        if (!before) return undefined
        const { now, goodUntil, keepOverlaps } = rotation
        const ended = keepOverlaps ? now.valueOf() : Number.MAX_SAFE_INTEGER
        await write('DELETE FROM previous_secrets WHERE key_id = $1 AND good_until <= $2', [id, ended])
        if (goodUntil > now) {
          const kept = await read('SELECT good_until FROM previous_secrets WHERE key_id = $1', [id])
          overlapsAfter(rotation, kept.map(({ good_until: end }) => dateOf(end!)))
          await write('INSERT INTO previous_secrets (key_id, hash, good_until) VALUES ($1, $2, $3)', [
            id,
            before.hash!,
            goodUntil.valueOf()
          ])
        }
        const [row] = await write(`UPDATE api_keys SET hash = $2 WHERE id = $1 RETURNING ${COLUMNS}`, [
          id,
          bytesOf(hash)
        ])
        return toApiKey(row!)
      }),

    async overlaps (now) {
      const ends = new Map<string, Date[]>()
      for (const { key_id: id, good_until: end } of await database.read(
        'SELECT key_id, good_until FROM previous_secrets WHERE good_until > $1 ORDER BY good_until',
        [now.valueOf()]
      )) {
        ends.set(id as string, [...(ends.get(id as string) ?? []), dateOf(end!)])
      }
      return ends
    }
  }
}

function columnsOf ({ name, plan, quota, scopes, expiresAt, ban }: KeyChanges): Record<string, Value> {
  const columns: Record<string, Value> = {}
  if (name !== undefined) columns.name = name
  if (plan && quota) [columns.plan, columns.per_minute, columns.per_day] = [plan, ...numbersOf(plan, quota)]
  if (scopes !== undefined) columns.scopes = scopes?.join(' ') ?? null
  if (expiresAt !== undefined) columns.expires_at = expiresAt?.valueOf() ?? null
  if (ban === null) columns.ban_level = columns.banned_until = null
  return columns
}

/** Only Enterprise keeps its numbers with the key, so that a change of another plan's numbers reaches all its keys. */
function numbersOf (plan: Plan, { perMinute, perDay }: Quota): [perMinute: number | null, perDay: number | null] {
  return plan === 'enterprise' ? [perMinute, perDay] : [null, null]
}

/** A hash is stored as bytes, half as long as its text. */
function bytesOf (hash: string): Buffer {
  return Buffer.from(hash, 'hex')
}

function dateOf (milliseconds: Value): Date {
  return new Date(Number(milliseconds))
}

function toApiKey (row: Row): ApiKey {
  const plan = row.plan as Plan
  const key: ApiKey = {
    id: row.id as string,
    kind: row.kind as ApiKey['kind'],
    name: row.name as string,
    plan,
    quota: plan === 'enterprise' ? { perMinute: Number(row.per_minute), perDay: Number(row.per_day) } : PLANS[plan],
    last4: row.last4 as string,
    createdAt: dateOf(row.created_at!)
  }
  if (row.scopes !== null) key.scopes = (row.scopes as string).split(' ') as Scope[]
  for (const [field, column] of [
    ['expiresAt', 'expires_at'],
    ['revokedAt', 'revoked_at']
  ] as const) {
    if (row[column] !== null) key[field] = dateOf(row[column]!)
  }
  if (row.ban_level !== null) key.ban = { level: Number(row.ban_level), until: Number(row.banned_until) }
  return key
}
