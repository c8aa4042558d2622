import { accessSync, constants, existsSync, linkSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { StartRefusal } from '../../../domain/start-refusal.js'
import { refuseNewer } from '../newer-schema.js'
import { pragma } from './connection.js'
import { asRefusal } from './failure.js'
import { checkSchema } from './schema.js'

/** Marks a database file as one of ours (PRAGMA application_id): "Pets" in ASCII. */
const APPLICATION_ID = 0x50657473
/** Larger files are not checked page by page at start: it would take seconds. */
const LARGEST_CHECKED = 2 ** 30

/** What SQLite and the server leave beside a database file. */
export const BESIDE = ['-wal', '-shm', '.lock']

/**
 * Makes sure that a database of ours, whole and of a known schema, stands at the path; creates an empty one where
 * nothing stands, and where the file of one was removed only if told so (`anew`). Never changes a file that it refuses.
 * A server (`owner`) is also refused a file that has another name.
 * @throws {StartRefusal} when the file is not such a database, or cannot be made or read
 */
export function ensureFile (path: string, { owner, anew }: { owner: boolean; anew: boolean }): void {
  try {
    if (!existsSync(path)) {
      refuseRemains(path, anew)
      createFile(path)
    }
    checkFile(path, owner)
  } catch (error) {
    throw error instanceof StartRefusal ? error : asRefusal(path, error)
  }
}

/** Refuses to make a file where there was one, unless told so: then what is left of its log goes, and is not read. */
function refuseRemains (path: string, anew: boolean): void {
  const remains = BESIDE.map((ending) => path + ending).filter((name) => existsSync(name))
  if (remains.length > 0 && !anew) {
    throw new StartRefusal(
      `The database ${path} is gone, but there was one: ${remains.join(', ')} ${remains.length > 1 ? 'are' : 'is'} still there. Restore a backup, or set DATABASE_ANEW=on to begin with an empty database.`
    )
  }
  for (const name of remains) if (!name.endsWith('.lock')) rmSync(name)
}

/** Builds the file beside and links it into place: a crash leaves a whole one or none, and two creators do not meet. */
function createFile (path: string): void {
  refuseMissingFolder(path)
  const draft = `${path}.${process.pid}.new`
  rmSync(draft, { force: true })
  try {
    const database = new DatabaseSync(draft)
    database.exec('PRAGMA synchronous = FULL')
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
    database.close()
    try {
      linkSync(draft, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Refuses a path to a folder that does not exist. */
export function refuseMissingFolder (path: string): void {
  const folder = dirname(path)
  if (existsSync(folder)) return
  throw new StartRefusal(`The folder ${folder} of the database does not exist. Create it, or correct DATABASE_URL.`)
}

/**
 * Makes sure that a file is a database of ours, whole and of a known schema.
 * @throws {StartRefusal} when it is none, or when it has another name too and is to have one owner
 */
export function checkFile (path: string, owner = false): void {
  const stat = statSync(path)
  if (!stat.isFile()) throw new StartRefusal(`The database ${path} is not a file. Correct DATABASE_URL.`)
  // Before SQLite opens it, which makes a log beside the name.
  if (owner && stat.nlink > 1) {
    throw new StartRefusal(
      `The database ${path} has another name too (a hard link), by which a second server could own it. Remove that name.`
    )
  }
  if (stat.size === 0) {
    throw new StartRefusal(
      `The database ${path} is empty (0 bytes): its content was lost. Restore a backup, or remove the file to begin with an empty database.`
    )
  }

  // SQLite would open a file that it may not write, and fail at the first write.
  accessSync(path, constants.R_OK | constants.W_OK)
  // Read-only where something stands beside it, which SQLite would else bring into the file. Where nothing does, SQLite
  // takes the log that it makes away again only if it may write.
  const readOnly = ['-wal', '-journal'].some((ending) => existsSync(path + ending))
  const database = new DatabaseSync(path, { readOnly, timeout: 1000 })
  try {
    if (pragma(database, 'application_id') !== APPLICATION_ID) {
      throw new StartRefusal(`The database ${path} belongs to another program. Correct DATABASE_URL.`)
    }
    // The version and the schema of one moment, whoever migrates the file meanwhile.
    database.exec('BEGIN')
    const version = pragma(database, 'user_version') as number
    refuseNewer(path, version)
    if (stat.size <= LARGEST_CHECKED) {
      const verdict = pragma(database, 'quick_check(1)')
      if (verdict !== 'ok') throw Object.assign(new Error(String(verdict)), { code: 'SQLITE_CORRUPT' })
    }
    checkSchema(database, path, version)
  } finally {
    database.close()
  }
}
