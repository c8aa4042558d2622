import { closeSync, openSync, readSync, realpathSync } from 'node:fs'
import { partsOf } from '../schema-parts.js'
import type { Connection } from './connection.js'

/** Bytes of a write-ahead log before its first frame (SQLite's file format, section 4.1). */
export const LOG_HEADER = 32

/**
 * Copies the write-ahead log into the database file. From then on, the file alone says that it needs its log, and the
 * log says that it does not. So a file that lost its log can be told from one into which any program has copied all of
 * it. The mark is the schema version, which SQLite changes in the copies that it makes (VACUUM INTO, backup): these are
 * whole even if they have the mark.
 */
export function checkpoint (connection: Connection): void {
  connection.exec('UPDATE owner SET needs_log = (SELECT schema_version FROM pragma_schema_version)')
  connection.exec('PRAGMA wal_checkpoint(PASSIVE)')
  connection.exec('UPDATE owner SET needs_log = NULL')
}

/** Whether a database, read with the log beside it, says that it needs its log. */
export function needsLog (connection: Connection): boolean {
  // Earlier versions of the program have no such column.
  if (!partsOf(connection).has('the column needs_log of owner')) return false
  const marked = 'SELECT 1 FROM owner, pragma_schema_version WHERE needs_log = schema_version'
  return connection.prepare(marked).get() !== undefined
}

/**
 * Returns a function that restores the mark of {@link checkpoint}, to be called after each commit, before it is
 * acknowledged. SQLite removes the mark when it has copied the whole log; the next commit then starts the log over.
 */
export function markRestorer (path: string, connection: Connection): () => void {
  const log = `${realpathSync(path)}-wal`
  let salts = saltsOf(log)
  return () => {
    try {
      if (saltsOf(log) === salts) return
      checkpoint(connection)
      salts = saltsOf(log)
    } catch {
      // Another program holds the lock, or the disk is full. The next commit tries again.
    }
  }
}

/** Reads the salts of a log, which change each time it starts over. */
function saltsOf (log: string): bigint {
  const header = Buffer.alloc(LOG_HEADER)
  const file = openSync(log, 'r')
  try {
    readSync(file, header)
    return header.readBigUInt64BE(16)
  } finally {
    closeSync(file)
  }
}
