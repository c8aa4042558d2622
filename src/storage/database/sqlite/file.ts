import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync
} from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { StorageUnavailable } from '../../../domain/errors.js'
import { EXIT_TEMPORARY, StartRefusal } from '../../../domain/start-refusal.js'
import { MIGRATIONS } from '../migrations.js'
import { pragma, type Connection } from './connection.js'
import { temporaryCode } from './failure.js'
import { checkSchema } from './schema.js'

/** Marks a database file as one of ours (PRAGMA application_id): "Pets" in ASCII. */
const APPLICATION_ID = 0x50657473
/** Larger files are not checked page by page at start: it would take seconds. */
const LARGEST_CHECKED = 2 ** 30

/**
 * Makes sure that a database of ours, whole and of a known schema, stands at the path; creates an empty one where
 * nothing stands. Never changes a file that it refuses.
 * @throws {StartRefusal} when the file is not such a database, or cannot be made or read
 */
export function ensureFile (path: string): void {
  try {
    if (!existsSync(path)) createFile(path)
    checkFile(path)
  } catch (error) {
    throw error instanceof StartRefusal ? error : asRefusal(path, error)
  }
}

/**
 * Holds the file for this process until the returned function is called or the process ends, however it ends.
 * @throws {StartRefusal} when another process holds it
 */
export function holdFile (path: string): () => void {
  if (statSync(path).nlink > 1) {
    throw new StartRefusal(
      `The database ${path} has another name too (a hard link), by which a second server could own it. Remove that name.`
    )
  }
  const lockPath = `${realpathSync(path)}.lock`
  let lock: Connection | undefined
  try {
    lock = new DatabaseSync(lockPath, { timeout: 0 })
    lock.exec(`PRAGMA user_version = ${process.pid}`)
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    if (!/BUSY|LOCKED/.test(temporaryCode(error) ?? '')) throw asRefusal(lockPath, error)
    throw new StartRefusal(
      `The database ${path} is in use by another server (process ${ownerOf(lockPath)}). Stop it first, or give this one a DATABASE_URL of its own.`,
      EXIT_TEMPORARY
    )
  }
  return () => lock.close()
}

/**
 * Gives a check that throws StorageUnavailable when the path leads to another file than now: what is written to one
 * that was removed or replaced would be lost.
 */
export function sameFile (path: string): () => void {
  const { ino, dev } = statSync(path)
  return () => {
    const now = statSync(path, { throwIfNoEntry: false })
    if (now?.ino !== ino || now.dev !== dev) {
      throw new StorageUnavailable(`The database ${path} was removed or replaced while it was in use.`)
    }
  }
}

/** What the error codes of SQLite and of the system mean for the operator. */
const FAILURES: [codes: RegExp, sentence: string, exitCode?: number][] = [
  [
    /NOTADB|CORRUPT/,
    'is damaged or is not a database. Restore a backup, or move the file away to begin with an empty database.'
  ],
  [
    /READONLY|EACCES|EPERM|EROFS|CANTOPEN/,
    'cannot be opened for writing. Check the permissions of the file and of its folder.'
  ],
  [/BUSY|LOCKED/, 'is locked by another program. Stop that program, then start again.', EXIT_TEMPORARY],
  [/FULL|ENOSPC/, 'is on a full disk. Make room, then start again.', EXIT_TEMPORARY],
  [
    /IOERR/,
    'cannot be read or written: its disk fails, or a quota is spent. Put that right, then start again.',
    EXIT_TEMPORARY
  ]
]

/** A start may need this for the files beside the database, in bytes. */
const LEAST_ROOM = 2 ** 20

/** Turns a failure to open or read the file into a sentence for the operator. */
export function asRefusal (path: string, error: unknown): StartRefusal {
  const { code = '', message } = error as { code?: string; message: string }
  const failure = temporaryCode(error) ?? code
  const sign = failure === 'SQLITE_IOERR' && isFull(dirname(path)) ? 'SQLITE_FULL' : failure
  const [, sentence = `cannot be opened: ${message}.`, exitCode] = FAILURES.find(([codes]) => codes.test(sign)) ?? []
  return new StartRefusal(`The database ${path} ${sentence}`, exitCode, { cause: error })
}

/** Whether a folder's disk has no room for a start, of which SQLite may say no more than that it failed. */
function isFull (folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < LEAST_ROOM
}

/** Builds the file beside and links it into place: a crash leaves a whole one or none, and two creators do not meet. */
function createFile (path: string): void {
  const folder = dirname(path)
  if (!existsSync(folder)) {
    throw new StartRefusal(`The folder ${folder} of the database does not exist. Create it, or correct DATABASE_URL.`)
  }
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

function checkFile (path: string): void {
  const stat = statSync(path)
  if (!stat.isFile()) throw new StartRefusal(`The database ${path} is not a file. Correct DATABASE_URL.`)
  if (stat.size === 0) {
    throw new StartRefusal(
      `The database ${path} is empty (0 bytes): its content was lost. Restore a backup, or remove the file to begin with an empty database.`
    )
  }

  // SQLite would open a file that it may not write, and fail at the first write.
  accessSync(path, constants.R_OK | constants.W_OK)
  const database = new DatabaseSync(path, { readOnly: true, timeout: 1000 })
  try {
    if (pragma(database, 'application_id') !== APPLICATION_ID) {
      throw new StartRefusal(`The database ${path} belongs to another program. Correct DATABASE_URL.`)
    }
    // The version and the schema of one moment, whoever migrates the file meanwhile.
    database.exec('BEGIN')
    const version = pragma(database, 'user_version') as number
    if (version > MIGRATIONS.length) {
      throw new StartRefusal(
        `The database ${path} has the schema version ${version}; this program knows up to ${MIGRATIONS.length}. Start the newer program that wrote it.`
      )
    }
    if (stat.size <= LARGEST_CHECKED) {
      const verdict = pragma(database, 'quick_check(1)')
      if (verdict !== 'ok') throw Object.assign(new Error(String(verdict)), { code: 'SQLITE_CORRUPT' })
    }
    checkSchema(database, path, version)
  } finally {
    database.close()
  }
}

/**
 * The owner's process id stands in the lock file's header as user_version (bytes 60 to 63), where it can be read past
 * the lock.
 */
function ownerOf (lockPath: string): number | string {
  const header = Buffer.alloc(4)
  const file = openSync(lockPath, 'r')
  try {
    return readSync(file, header, 0, 4, 60) === 4 ? header.readUInt32BE() : 'unknown'
  } finally {
    closeSync(file)
  }
}
