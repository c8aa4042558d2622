import { chmodSync, chownSync, constants, copyFileSync, existsSync, realpathSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { StartRefusal } from '../../../domain/start-refusal.js'
import { completeCopy, draftOf, sync, syncName, withDraft, type RowCounts } from './copy.js'
import { asRefusal } from './failure.js'
import { checkFile, refuseMissingFolder } from './file.js'
import { holdLock, refuseOwned } from './owner.js'

/** A database was restored. */
export interface Restored {
  rows: RowCounts
  /** Where the database of before is; undefined where there was none. */
  before?: string
}

/** What a copied file says of its log must stay with it: the newest records may be there. */
const WITH_LOG = ['', '-wal']
/** What belongs to a database besides the lock, which a start of a server looks for under its name. */
const DATABASE = ['', '-wal', '-shm']

/** The permissions with which SQLite makes a file, less what the mask of the process takes away. */
const NEW_FILE = 0o644

/**
 * Puts a backup in the place of a database that no server has open. It is verified before anything else is touched, and
 * the database of before is kept beside, under a name with this time. A crash meanwhile leaves the database of before,
 * or a place from which no server starts by mistake.
 * @throws {StartRefusal} when a server has the database open, or the backup cannot be used
 */
export async function restore (file: string, path: string, time: Date): Promise<Restored> {
  if (!existsSync(file)) throw new StartRefusal(`There is no backup at ${file}.`)
  refuseMissingFolder(path)
  const place = existsSync(path) ? realpathSync(path) : path
  if (realpathSync(file) === place) throw new StartRefusal(`The file ${file} is the database itself. Choose a backup.`)
  const release = holdLock(place)
  try {
    if (existsSync(place)) refuseServer(place)
    const draft = draftOf(place)
    return await withDraft(draft, async () => {
      const rows = copyAndCheck(file, draft)
      permitAs(draft, place)
      const before = `${place}.before-restore-${time.toISOString().replaceAll(':', '-')}`
      const isKept = existsSync(place)
      // The database first: a start finds its log without it then, and is refused.
      for (const ending of DATABASE) if (existsSync(place + ending)) renameSync(place + ending, before + ending)
      renameSync(draft, place)
      syncName(place)
      return { rows, ...(isKept ? { before } : {}) }
    })
  } finally {
    release()
  }
}

/**
 * Lets the users who may open the database of before open its draft, and nobody else; where there is none, those who
 * may use the folder, but none more than SQLite would let open a new database. A server that is not root could not open
 * what root has restored otherwise.
 */
function permitAs (draft: string, place: string): void {
  const isThere = existsSync(place)
  const { uid, gid, mode } = statSync(isThere ? place : dirname(place))
  chmodSync(draft, mode & (isThere ? 0o666 : NEW_FILE & ~process.umask()))
  if (process.getuid?.() === 0) chownSync(draft, uid, gid)
}

/** A server in another container is not seen by its lock, but its record is in the file, unless that is damaged. */
function refuseServer (path: string): void {
  try {
    const connection = new DatabaseSync(path, { readOnly: true })
    try {
      refuseOwned(path, connection)
    } finally {
      connection.close()
    }
    emptyLog(path)
  } catch (error) {
    if (error instanceof StartRefusal) throw error
  }
}

/** Lets SQLite bring its log into the file, so that what is kept is one file. A damaged one keeps its log. */
function emptyLog (path: string): void {
  const connection = new DatabaseSync(path)
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    connection.close()
  }
}

function copyAndCheck (file: string, draft: string): RowCounts {
  try {
    if (!statSync(file).isFile()) throw new StartRefusal(`The database ${draft} is not a file.`)
    for (const ending of WITH_LOG) {
      if (existsSync(file + ending)) copyFileSync(file + ending, draft + ending, constants.COPYFILE_FICLONE)
    }
    checkFile(draft)
    const rows = completeCopy(draft)
    sync(draft)
    return rows
  } catch (error) {
    const { message, exitCode } = error instanceof StartRefusal ? error : asRefusal(draft, error)
    const sentence = message
      .replaceAll(`The database ${draft}`, `The backup ${file}`)
      .replace('Restore a backup', 'Restore another one')
      .replace('Correct DATABASE_URL', 'Choose another file')
    throw new StartRefusal(`Nothing was restored. ${sentence}`, exitCode, { cause: error })
  }
}
