import { join } from 'node:path'
import type { Test } from 'tap'
import type { Database } from '../../src/storage/database.js'
import { openSqlite } from '../../src/storage/sqlite.js'

/** Every database that the repositories promise to work on: its name, and an empty one that ends with the test. */
export const DATABASES: [name: string, open: (t: Test) => Database][] = [
  ['SQLite', (t) => openedFile(t, join(t.testdir(), 'petstore.db'))]
]

/** The SQLite database at a path, closed with the test. */
export function openedFile (t: Test, path: string, { owner = true } = {}): Database {
  const database = openSqlite(path, { owner })
  t.teardown(() => database.close())
  return database
}
