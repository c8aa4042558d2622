import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Test } from 'tap'
import { runInProcess } from '../in-process.js'

/** A folder with a database that has sample records, and its settings. */
export async function seeded (t: Test, pets = 30) {
  const folder = t.testdir()
  const path = join(folder, 'petstore.db')
  const environment = { DATABASE_URL: `sqlite:${path}` }
  await runInProcess(['seed', '--pets', String(pets)], environment)
  await runInProcess(['keys', 'create'], environment)
  return { folder, path, environment }
}

/** How many pets a database file has. */
export function petsIn (path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database.prepare('SELECT count(*) AS pets FROM pets').get().pets
  } finally {
    database.close()
  }
}
