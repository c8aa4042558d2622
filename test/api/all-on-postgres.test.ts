import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import t from 'tap'
import { scaledLack } from '../support/databases.js'
import { storageUnderTest } from '../support/service.js'
import { leaveOut } from '../support/user.js'

/** The tests of what is refused or shown before anything is asked of the storage, and this one. */
const WITHOUT_STORAGE = new Set([
  'bodies',
  'content-type',
  'cors',
  'docs',
  'malformed',
  'mock',
  'pages',
  'paths',
  'pipelining',
  'protocol',
  'security',
  'slow',
  'stall',
  'all-on-postgres'
])

t.setTimeout(400_000)

// The tests of the API, once more on PostgreSQL and Redis.
if (scaledLack) {
  t.test('the service on PostgreSQL and Redis', async (t) => leaveOut(t, scaledLack!))
} else {
  storageUnderTest.name = 'PostgreSQL'
  const files = readdirSync(new URL('.', import.meta.url)).filter(
    (file) => !WITHOUT_STORAGE.has(basename(file, '.test.ts'))
  )
  for (const file of files) await import(`./${file}`)
}
