import type { KeyChange } from '../../domain/api-keys/history.js'
import type { Queries } from './database.js'

/** Keeps a change of a key, which these queries have made in the same transaction. */
export async function keepChange (
  queries: Pick<Queries, 'write'>,
  keyId: string,
  { at, by, action, from, to }: KeyChange
): Promise<void> {
  await queries.write(
    `INSERT INTO key_changes (key_id, changed_at, changed_by, action, before, after)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [keyId, at.valueOf(), by, action, JSON.stringify(from), JSON.stringify(to)]
  )
}
