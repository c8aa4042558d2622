import { resolve } from 'node:path'
import { StartRefusal } from '../../domain/start-refusal.js'
import type { StorageObserver } from '../../domain/storage/observer.js'
import type { Database } from './database.js'
import { observed } from './observed.js'
import type { PostgresOptions } from './postgres/postgres.js'
import type { FileUse } from './sqlite/file.js'
import { openSqlite } from './sqlite/sqlite.js'

/** The CLI has time, and leaves the connections to the servers. */
const PATIENT = { deadline: 30_000, connections: 2 }

/** How a database is opened. */
export interface OpenDatabaseOptions extends Pick<FileUse, 'create' | 'anew'> {
  /** Whether it is opened by a server, or by the CLI beside it. */
  owner: boolean
  /** Is told what the database does. */
  observer?: StorageObserver | undefined
}

/**
 * Opens the database that a URL names: `sqlite:PATH`, whose owner is the server, while the CLI may open it beside; or
 * `postgres://…`, which any number of servers share. An owner creates a SQLite file where there is none, unless
 * `create` is false.
 * @throws {StartRefusal} with a sentence for the operator and the exit code
 */
export async function openDatabase (
  url: string,
  { owner, create, anew, observer }: OpenDatabaseOptions
): Promise<Database> {
  // An absolute path, since the driver takes one that begins with `file:` for a URI.
  if (url.startsWith('sqlite:')) {
    const database = openSqlite(pathOf(url.slice('sqlite:'.length)), { owner, create, anew, observer })
    return observer ? observed(database, 'sqlite', observer) : database
  }
  const database = await openMigrationTarget(url, owner ? {} : PATIENT)
  const { isPartlyMigrated } = await import('./data-migration.js')
  try {
    if (await isPartlyMigrated(database)) {
      throw new StartRefusal(
        'The database has only a part of the records that were to be copied to it. ' +
          'Run migrate-data again until it ends, or empty the database.'
      )
    }
    return observer ? observed(database, 'postgresql', observer) : database
  } catch (error) {
    await database.close()
    throw error
  }
}

function pathOf (name: string): string {
  return name.startsWith('file:') ? resolve(name) : name
}

/** Opens a PostgreSQL database as the target of a data migration, also where one was broken off. */
export async function openMigrationTarget (url: string, options: PostgresOptions = PATIENT): Promise<Database> {
  // Loaded here, so that who needs none of it does not wait for it.
  const { openPostgres } = await import('./postgres/postgres.js')
  return await openPostgres(url, options)
}
