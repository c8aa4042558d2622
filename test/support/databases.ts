import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Database } from '../../src/storage/database/database.js'
import { openPostgres } from '../../src/storage/database/postgres/postgres.js'
import { openSqlite } from '../../src/storage/database/sqlite/sqlite.js'
import { missingPostgres, startPostgres, type PostgresServer } from '../../scripts/cluster/postgres.js'
import { missingRedis, startRedis, type RedisServer } from '../../scripts/cluster/redis.js'
import { leaveOut } from './user.js'

/** Every database that the repositories promise to work on: its name, and an empty one that ends with the test. */
export const DATABASES: [name: string, open: (t: Test) => Promise<Database>][] = [
  ['SQLite', async (t) => openedFile(t, join(t.testdir(), 'petstore.db'))]
]
if (missingPostgres) t.test('PostgreSQL', async (t) => leaveOut(t, missingPostgres!))
else DATABASES.push(['PostgreSQL', (t) => openedPostgres(t)])

/** The SQLite database at a path, closed with the test. */
export function openedFile (t: Test, path: string, { owner = true } = {}): Database {
  const database = openSqlite(path, { owner })
  t.teardown(() => database.close())
  return database
}

/** A test that needs PostgreSQL. */
export function testPostgres (title: string, run: (t: Test) => Promise<void>): void {
  t.test(title, async (t) => (missingPostgres ? leaveOut(t, missingPostgres) : await run(t)))
}

/** The PostgreSQL database at a URL, an empty one unless told otherwise, closed with the test. */
export async function openedPostgres (t: Test, url?: string): Promise<Database> {
  const database = await openPostgres(url ?? (await emptyPostgres()))
  t.teardown(() => database.close())
  return database
}

let postgres: Promise<PostgresServer> | undefined
let redis: Promise<RedisServer> | undefined

/** The URL of an empty database, on a server that the tests of this process share and that ends with them. */
export async function emptyPostgres (): Promise<string> {
  if (!postgres) {
    postgres = startPostgres()
    t.teardown(async () => {
      await (await postgres!).server.remove()
    })
  }
  return await (await postgres).createDatabase()
}

/** The URL of a Redis that the tests of this process share and that ends with them. */
export async function sharedRedis (): Promise<string> {
  if (!redis) {
    redis = startRedis()
    t.teardown(async () => {
      await (await redis!).server.remove()
    })
  }
  return (await redis).url
}

/** Why PostgreSQL and Redis cannot both be started here; undefined when they can. */
export const scaledLack = missingPostgres ?? missingRedis
