import t from 'tap'
import { scaledLack } from '../support/databases.js'
import { storageUnderTest } from '../support/service.js'
import { leaveOut } from '../support/user.js'

// The tests of what the service answers, once more on PostgreSQL and Redis; those of HTTP itself do not depend on the storage.
if (scaledLack) {
  t.test('the service on PostgreSQL and Redis', async (t) => leaveOut(t, scaledLack!))
} else {
  storageUnderTest.name = 'PostgreSQL'
  const PARTS = ['bans', 'cancel-order', 'categories', 'conditional', 'create-pet', 'get-pet', 'idempotency', 'inventory', 'list-pets', 'paging', 'place-order', 'rate-limit', 'scopes']
  for (const part of PARTS) await import(`../api/${part}.test.js`)
}
