import { readdirSync } from 'node:fs'
import t from 'tap'
import { scaledLack } from '../support/databases.js'
import { storageUnderTest } from '../support/service.js'
import { leaveOut } from '../support/user.js'

/** The tests of what is refused or shown before anything is asked of the storage. */
const BEFORE_STORAGE = [
  'bodies', 'content-type', 'cors', 'docs', 'malformed', 'mock', 'pages', 'paths', 'pipelining', 'protocol', 'security', 'slow', 'stall'
].map((name) => `${name}.test.ts`)

// The tests of the API, once more on PostgreSQL and Redis.
if (scaledLack) {
  t.test('the service on PostgreSQL and Redis', async (t) => leaveOut(t, scaledLack!))
} else {
  storageUnderTest.name = 'PostgreSQL'
  for (const file of readdirSync(new URL('../api', import.meta.url))) if (!BEFORE_STORAGE.includes(file)) await import(`../api/${file}`)
}
