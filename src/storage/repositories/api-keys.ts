import { andThen } from '../../domain/awaitable.js'
import type { ApiKey, ApiKeyRepository, KeyChanges } from '../../domain/api-keys.js'
import { PLANS, type Plan, type Quota } from '../../domain/plans.js'
import type { Scope } from '../../domain/scopes.js'
import type { Database, Row, Value } from '../database/database.js'

const COLUMNS = `id, kind, name, plan, per_minute, per_day, scopes, last4, created_at, expires_at, revoked_at,
  ban_level, banned_until, previous_until`

/** Makes the repository of the API keys. */
export function apiKeyRepository (database: Database): ApiKeyRepository {
  const changed = async (sql: string, values: Value[]): Promise<ApiKey | undefined> => {
    const [row] = await database.write(sql, values)
    return row && toApiKey(row)
  }
  return {
    async create ({ id, kind, name, plan, quota, scopes, last4, createdAt, expiresAt }, hash) {
      await database.write(
        `INSERT INTO api_keys (id, kind, hash, name, plan, per_minute, per_day, scopes, last4, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [id, kind, hash, name, plan, ...numbersOf(plan, quota), scopes?.join(' ') ?? null, last4, createdAt.valueOf(),
          expiresAt?.valueOf() ?? null]
      )
    },

    findByHash (hash) {
      const sql = `SELECT ${COLUMNS}, hash = $1 AS current FROM api_keys WHERE hash = $1 OR previous_hash = $1`
      const rows = database.local ? database.local.readNow(sql, [hash]) : database.read(sql, [hash])
      return andThen(rows, ([row]) => row && toFoundKey(row))
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

    rotate: (id, { hash, last4 }, previousUntil) =>
      changed(
        `UPDATE api_keys SET previous_hash = hash, previous_until = $4, hash = $2, last4 = $3
         WHERE id = $1 RETURNING ${COLUMNS}`,
        [id, hash, last4, previousUntil.valueOf()]
      )
  }
}

function columnsOf ({ plan, quota, scopes, expiresAt, ban }: KeyChanges): Record<string, Value> {
  const columns: Record<string, Value> = {}
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

/** A key that was found by the secret before its rotation expires when the overlap ends. */
function toFoundKey (row: Row): ApiKey {
  const key = toApiKey(row)
  if (!row.current && key.previousUntil && !(key.expiresAt && key.expiresAt < key.previousUntil)) {
    key.expiresAt = key.previousUntil
  }
  return key
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
    createdAt: new Date(Number(row.created_at))
  }
  if (row.scopes !== null) key.scopes = (row.scopes as string).split(' ') as Scope[]
  for (const [field, column] of [
    ['expiresAt', 'expires_at'],
    ['revokedAt', 'revoked_at'],
    ['previousUntil', 'previous_until']
  ] as const) {
    if (row[column] !== null) key[field] = new Date(Number(row[column]))
  }
  if (row.ban_level !== null) key.ban = { level: Number(row.ban_level), until: Number(row.banned_until) }
  return key
}
