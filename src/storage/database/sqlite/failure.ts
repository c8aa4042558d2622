import { StorageUnavailable } from '../../../domain/errors.js'

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
