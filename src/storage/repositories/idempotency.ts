import { KEPT_FOR, type IdempotencyRepository, type Kept } from '../../domain/idempotency.js'
import { MINUTE } from '../../domain/windows.js'
import type { AtomicDatabase } from '../database/atomic.js'
import type { Row } from '../database/database.js'

/** How many expired answers are deleted at a time, and how often at least a look is taken, in milliseconds. */
const BATCH = 200
const PAUSE = MINUTE

const FIND =
  'SELECT fingerprint, status, headers, body FROM idempotency_keys WHERE caller = $1 AND key = $2 AND created_at > $3'

/** Makes the repository of the answers that are kept for requests that come again with their Idempotency-Key. */
export function idempotencyRepository (database: AtomicDatabase): IdempotencyRepository {
  let cleanedAt = -Infinity
  const clean = async (now: number): Promise<void> => {
    if (now < cleanedAt + PAUSE) return
    cleanedAt = now
    const gone = await database.write(
      `DELETE FROM idempotency_keys WHERE (caller, key) IN (
         SELECT caller, key FROM idempotency_keys WHERE created_at <= $1 ORDER BY created_at LIMIT ${BATCH}
       ) RETURNING key`,
      [now - KEPT_FOR]
    )
    if (gone.length === BATCH) cleanedAt = -Infinity
  }

  return {
    async find ({ caller, key }, now) {
      const [row] = await database.read(FIND, [caller, key, now - KEPT_FOR])
      return row && toKept(row)
    },

    async once ({ caller, key, fingerprint }, now, work) {
      await clean(now)
      return await database.atomically(async () => {
        // Where another server answers the same request, this waits for its end.
        const claimed = await database.write(
          `INSERT INTO idempotency_keys (caller, key, fingerprint, created_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (caller, key) DO UPDATE SET fingerprint = excluded.fingerprint, created_at = excluded.created_at
           WHERE idempotency_keys.created_at <= $5 RETURNING key`,
          [caller, key, fingerprint, now, now - KEPT_FOR]
        )
        if (claimed.length === 0) return toKept((await database.read(FIND, [caller, key, now - KEPT_FOR]))[0]!)
        const answer = await work()
        await database.write(
          'UPDATE idempotency_keys SET status = $3, headers = $4, body = $5 WHERE caller = $1 AND key = $2',
          [caller, key, answer.status, JSON.stringify(answer.headers), answer.body ?? null]
        )
        return { answer, fingerprint, replayed: false }
      })
    }
  }
}

function toKept ({ fingerprint, status, headers, body }: Row): Kept {
  return {
    answer: {
      status: Number(status),
      headers: JSON.parse(headers as string) as Record<string, string>,
      body: body === null ? undefined : (body as string)
    },
    fingerprint: fingerprint as string,
    replayed: true
  }
}
