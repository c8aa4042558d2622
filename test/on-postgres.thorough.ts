// Tests that `npm test` runs on SQLite, once more on PostgreSQL and Redis.
import t from 'tap'
import { missingScaled } from './support/databases.js'
import { leaveOut } from './support/leave-out.js'

/**
 * Tests in which the service does what no other storage does as PostgreSQL and Redis do: it waits for the locks of
 * others, writes in transactions that may collide, keeps integers of 64 bits, sorts and pages, counts in Redis, or
 * loses its connection. The other tests of the API send the storage nothing that is not tested here or with the
 * repositories.
 */
const API = [
  'connection/aborted',
  'answer/health',
  'features/idempotency',
  'gate/bans',
  'gate/rate-limit',
  'operations/cancel-order',
  'operations/create-pet',
  'operations/inventory',
  'operations/list-pets',
  'operations/paging',
  'operations/place-order',
  'request/exact'
]

/** Tests of what the repositories promise on any database. */
const STORAGE = [
  'repositories/api-keys',
  'repositories/categories',
  'repositories/idempotency',
  'repositories/inventory',
  'repositories/key-history',
  'repositories/orders',
  'repositories/pets',
  'repositories/query-plans',
  'database/atomic',
  'database/upgrades',
  'usage/daily',
  'usage/model'
]

if (missingScaled) {
  t.test('the service on PostgreSQL and Redis', async (t) => leaveOut(t, missingScaled!))
} else {
  t.context.onPostgres = true
  for (const name of API) await import(`./api/${name}.test.ts`)
  for (const name of STORAGE) await import(`./storage/${name}.test.ts`)
}
