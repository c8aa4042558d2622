import { StorageUnavailable } from '../../../domain/errors.js'

/**
 * An error of SQLite that means "not now" (disk full, busy, damaged …) as StorageUnavailable; any other error as it is.
 */
export function asFailure (error: unknown): unknown {
  const { code, message } = error as { code?: string; message: string }
  return /^SQLITE_(FULL|BUSY|LOCKED|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM)/.test(code ?? '')
    ? new StorageUnavailable(`The database failed: ${code} ${message}`, { cause: error })
    : error
}
