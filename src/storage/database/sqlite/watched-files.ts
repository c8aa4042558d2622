import { realpathSync, statSync, type Stats } from 'node:fs'
import { StorageUnavailable } from '../../../domain/errors.js'
import { pragma, type Connection } from './connection.js'

/** Bytes before the frames of a log, and before the page in each frame (SQLite's file format, section 4). */
const LOG_HEADER = 32
const FRAME_HEADER = 24

/**
 * Gives a check that throws StorageUnavailable when a file on which an open database rests is not what it was: what is
 * written then would be lost. These are the database itself; its write-ahead log, which holds what was committed last;
 * and the index of that log, on which the locks are.
 */
export function watchFiles (path: string, connection: Connection): () => void {
  const beside = realpathSync(path)
  const logPath = `${beside}-wal`
  const files = [path, logPath, `${beside}-shm`].map((name) => ({ name, before: statSync(name) }))
  const frameSize = FRAME_HEADER + Number(pragma(connection, 'page_size'))
  let logSize = 0
  let isCutOff = false

  const checkLog = ({ size }: Stats): void => {
    // Other programs may empty the log when all of it is in the database.
    const isSuspect = size < logSize || size === 0
    if (isSuspect && !connection.isTransaction) isCutOff ||= size < leastSize(connection, frameSize)
    if (isCutOff) throw new StorageUnavailable(`The file ${logPath} was cut off while it was in use. ${WHAT_NOW}`)
    logSize = size
  }
  return () => {
    for (const { name, before } of files) {
      const now = statSync(name, { throwIfNoEntry: false })
      if (now?.ino !== before.ino || now.dev !== before.dev) {
        if (name === path) throw new StorageUnavailable(`The database ${path} was removed or replaced while it was in use.`)
        checkpoint(connection)
        throw new StorageUnavailable(`The file ${name} was removed or replaced while it was in use. ${WHAT_NOW}`)
      }
      if (name === logPath) checkLog(now)
    }
  }
}

const WHAT_NOW = 'Nothing is written any more; restart the service.'

/** Gives how many bytes the log must have at least, by its index; infinitely many where it cannot be read so far. */
function leastSize (connection: Connection, frameSize: number): number {
  const frames = checkpoint(connection)
  return frames > 0 ? LOG_HEADER + frames * frameSize : 0
}

/**
 * Copies what was committed from the log into the database, also from a log that was removed and is still open here,
 * and gives the number of frames in the log; 0 while another program does so, and infinity when the log cannot be read.
 */
function checkpoint (connection: Connection): number {
  try {
    return Math.max(0, connection.prepare('PRAGMA wal_checkpoint(PASSIVE)').get().log as number)
  } catch {
    return Infinity
  }
}
