import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { StorageUnavailable } from '../../../domain/errors.js'
import { EXIT_TEMPORARY, StartRefusal } from '../../../domain/start-refusal.js'

/** SQLite's primary result codes that mean "not now": disk full, busy … (https://www.sqlite.org/rescode.html). */
const TEMPORARY: Record<number, string> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB'
}

/** Gives the name of the result code of an error of SQLite that means "not now"; undefined for any other error. */
export function temporaryCode (error: unknown): string | undefined {
  // An extended code holds its primary one in the lowest byte.
  return TEMPORARY[((error as { errcode?: number }).errcode ?? 0) & 0xff]
}

/** Turns an error of SQLite that means "not now" into StorageUnavailable; gives any other error back as it is. */
export function asFailure (error: unknown): unknown {
  const code = temporaryCode(error)
  if (!code) return error
  return new StorageUnavailable(`The database failed: ${code} ${(error as Error).message}`, { cause: error })
}

/** Runs work on SQLite; what it throws goes through {@link asFailure}. */
export function orFailure<Result> (work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw asFailure(error)
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
