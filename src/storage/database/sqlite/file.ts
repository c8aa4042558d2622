import { accessSync, constants, existsSync, linkSync, realpathSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { StartRefusal } from '../../../domain/start-refusal.js'
import { refuseNewer } from '../newer-schema.js'
import { connect, pragma, type Connection } from './connection.js'
import { finishDraft, makeDraft } from './copy.js'
import { asRefusal } from './failure.js'
import { LOG_HEADER, needsLog } from './log.js'
import { refuseOwned } from './owner.js'
import { checkSchema, migrate } from './schema.js'

/** Marks a database file as one of ours (PRAGMA application_id): "Pets" in ASCII. */
const APPLICATION_ID = 0x50657473
/** Larger files are not checked page by page at start: it would take seconds. */
const LARGEST_CHECKED = 2 ** 30

/** The logs that SQLite keeps beside a database file. */
export const LOGS = ['-wal', '-shm', '-journal']
/** What SQLite and the server leave beside a database file. */
export const BESIDE = [...LOGS, '.lock']

/** What a database file is opened for. */
export interface FileUse {
  /** Whether a server opens it, which must be its only one. */
  owner?: boolean
  /** Whether to create an empty database where there is none. */
  create?: boolean | undefined
  /** Whether to create one also where the file of one was removed. */
  anew?: boolean | undefined
  /** Whether it is only copied; the pages of the copy are checked instead. */
  copy?: boolean
}

/**
 * Ensures that the path leads to a database of ours, whole and of a known schema. Never changes a file that it refuses,
 * except that SQLite rolls back what a crash has left in a journal.
 * @throws {StartRefusal} when the file is no such database, or cannot be created or read
 */
export function ensureFile (path: string, use: FileUse): void {
  try {
    if (!statSync(path, { throwIfNoEntry: false })) {
      refuseRemains(path, use)
      createFile(path)
    }
    checkFile(path, use)
  } catch (error) {
    throw error instanceof StartRefusal ? error : asRefusal(path, error)
  }
}

/** Refuses to create a file where none may be created, or where one was removed. Otherwise deletes leftover logs. */
function refuseRemains (path: string, { create, anew }: FileUse): void {
  const remains = BESIDE.map((ending) => path + ending).filter((name) => existsSync(name))
  if (remains.length > 0 && !(create && anew)) {
    throw new StartRefusal(
      `The database ${path} is gone, but there was one: ${remains.join(', ')} ${remains.length > 1 ? 'are' : 'is'} still there. Restore a backup, or set DATABASE_ANEW=on to begin with an empty database.`
    )
  }
  if (!create) {
    throw new StartRefusal(
      `There is no database at ${path}. Correct DATABASE_URL. Only serve, seed and restore create a database.`
    )
  }
  for (const name of remains) if (!name.endsWith('.lock')) rmSync(name)
}

/** Builds the file beside and links it into place: a crash leaves a whole one or none, and two creators do not meet. */
function createFile (path: string): void {
  refuseMissingFolder(path)
  const { draft, remove } = makeDraft(path)
  try {
    const database = connect(draft)
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
    migrate(database)
    database.close()
    finishDraft(draft)
    try {
      linkSync(draft, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  } finally {
    remove()
  }
}

/** Refuses a path to a folder that does not exist. */
export function refuseMissingFolder (path: string): void {
  const folder = dirname(path)
  if (existsSync(folder)) return
  throw new StartRefusal(`The folder ${folder} of the database does not exist. Create it, or correct DATABASE_URL.`)
}

/**
 * Ensures that a file is a database of ours, whole and of a known schema.
 * @throws {StartRefusal} when it is none, or when it has a second name and must have one owner
 */
export function checkFile (path: string, { owner, create, copy }: FileUse): void {
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
  accessSync(path, copy ? constants.R_OK : constants.R_OK | constants.W_OK)
  // Read-only where there is a log, which SQLite would bring into the file on closing. Where there is none, SQLite
  // deletes the one that it makes only if it may write. A journal of a crash must be rolled back before any read.
  const place = realpathSync(path)
  const readOnly = existsSync(`${place}-wal`) && !existsSync(`${place}-journal`)
  const database = new DatabaseSync(path, { readOnly, timeout: 1000 })
  try {
    if (pragma(database, 'application_id') !== APPLICATION_ID) {
      throw new StartRefusal(`The database ${path} belongs to another program. Correct DATABASE_URL.`)
    }
    // The version and the schema of one moment, whoever migrates the file meanwhile.
    database.exec('BEGIN')
    const version = pragma(database, 'user_version') as number
    refuseNewer(path, version)
    refuseLostLog(path, `${place}-wal`, database)
    if (version === 0 && !create) {
      throw new StartRefusal(
        `The database ${path} has no tables (schema version 0). Restore a backup, or start the server on it.`
      )
    }
    if (!copy && stat.size <= LARGEST_CHECKED) {
      const verdict = pragma(database, 'quick_check(1)')
      if (verdict !== 'ok') throw Object.assign(new Error(String(verdict)), { code: 'SQLITE_CORRUPT' })
    }
    checkSchema(database, path, version)
  } finally {
    database.close()
  }
}

/** Refuses a file whose newest commits are in a log that is missing. */
function refuseLostLog (path: string, log: string, database: Connection): void {
  // A log with frames is what says so: its server is checkpointing it, or was killed meanwhile.
  if (!needsLog(database) || (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_HEADER) return
  // Under another name of the file, the log of a running server is not found.
  refuseOwned(path, database)
  throw new StartRefusal(
    `The database ${path} lacks its write-ahead log ${log}, which holds its newest records: the log was deleted, or the file was copied or moved without it. Put the log back beside it, or restore a backup. To go on without those records, run: sqlite3 FILE "DELETE FROM owner"`
  )
}
