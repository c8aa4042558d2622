import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ask, missingPostgres, startPostgres } from '../../scripts/cluster/postgres.js'
import { missingRedis, startRedis } from '../../scripts/cluster/redis.js'
import type { Database } from '../../src/storage/database/database.js'
import { openPostgres } from '../../src/storage/database/postgres/postgres.js'
import { openSqlite } from '../../src/storage/database/sqlite/sqlite.js'
import { leaveOut } from './leave-out.js'
import { isOnPostgres } from './storage-under-test.js'

type Opening = [name: 'SQLite' | 'PostgreSQL', open: (t: Test) => Promise<Database>]

const SQLITE: Opening = ['SQLite', async (t) => openedFile(t, join(t.testdir(), 'petstore.db'))]
const POSTGRES: Opening = ['PostgreSQL', async (t) => await openedPostgres(t, await migratedPostgres())]

/** The databases that a test of the repositories runs on: for each its name, and how to open one that is empty. */
export function databasesUnderTest (t: Test): Opening[] {
  return [isOnPostgres(t) ? POSTGRES : SQLITE]
}

/** Integers of 64 bits: a number where that is exact, else a bigint. */
export const INTEGERS = [
  0,
  -1,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  9007199254740992n,
  9223372036854775807n,
  -9223372036854775808n
]

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

/** The URL of a new database without a table. */
export function emptyPostgres (): Promise<string> {
  return newPostgres(() => '')
}

/** The URL of a new database with the tables of the service and nothing in them. */
export function migratedPostgres (): Promise<string> {
  return newPostgres((template) => ` TEMPLATE ${template}`)
}

/** The database that others are copied from: of a server for all files of a run, or of one for this process. */
let template: Promise<string> | undefined
let made = 0

async function newPostgres (source: (template: string) => string): Promise<string> {
  template ??= process.env.POSTGRES_TEMPLATE ? Promise.resolve(process.env.POSTGRES_TEMPLATE) : startTemplate()
  const url = new URL(await template)
  const [, templateName] = url.pathname.split('/')
  const name = `test_${process.pid}_${++made}`
  url.pathname = '/postgres'
  await ask(url.href, `CREATE DATABASE ${name}${source(templateName!)}`)
  url.pathname = `/${name}`
  return url.href
}

async function startTemplate (): Promise<string> {
  const { server, createDatabase } = await startPostgres()
  t.teardown(() => server.remove())
  const url = await createDatabase()
  await (await openPostgres(url)).close()
  return url
}

let redis: Promise<string> | undefined

/** The URL of a Redis that the tests of this process share and that ends with them. */
export function sharedRedis (): Promise<string> {
  redis ??= startRedis().then(({ server, url }) => {
    t.teardown(() => server.remove())
    return url
  })
  return redis
}

/** Why PostgreSQL and Redis cannot both be started here; undefined when they can. */
export const missingScaled = missingPostgres ?? missingRedis
