import type { ApiKey, ApiKeyRepository } from '../domain/api-keys.js'
import { quotaOf, type Plan } from '../domain/plans.js'
import type { Database, Row } from './database.js'

const COLUMNS = 'id, name, plan, per_minute, per_day, last4, created_at, revoked_at'

export function apiKeyRepository (database: Database): ApiKeyRepository {
  return {
    async create ({ id, name, plan, quota, last4, createdAt }, hash) {
      const agreed = plan === 'enterprise' ? quota : undefined
      await database.query(
        'INSERT INTO api_keys (id, hash, name, plan, per_minute, per_day, last4, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
        [id, hash, name, plan, agreed?.perMinute ?? null, agreed?.perDay ?? null, last4, createdAt.valueOf()])
    },

    async findByHash (hash) {
      const [row] = await database.query(`SELECT ${COLUMNS} FROM api_keys WHERE hash = $1`, [hash])
      return row && toApiKey(row)
    },

    async list () {
      return (await database.query(`SELECT ${COLUMNS} FROM api_keys ORDER BY created_at, id`)).map(toApiKey)
    },

    async revoke (id, at) {
      const [row] = await database.query(
        `UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1 RETURNING ${COLUMNS}`, [id, at.valueOf()])
      return row && toApiKey(row)
    }
  }
}

function toApiKey (row: Row): ApiKey {
  const plan = row.plan as Plan
  const key: ApiKey = {
    id: row.id as string,
    name: row.name as string,
    plan,
    quota: quotaOf(plan, plan === 'enterprise' ? { perMinute: Number(row.per_minute), perDay: Number(row.per_day) } : undefined),
    last4: row.last4 as string,
    createdAt: new Date(Number(row.created_at))
  }
  if (row.revoked_at !== null) key.revokedAt = new Date(Number(row.revoked_at))
  return key
}
