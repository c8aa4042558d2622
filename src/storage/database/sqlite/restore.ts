import { chownSync, constants, copyFileSync, existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { EXIT_TEMPORARY, StartRefusal } from '../../../domain/start-refusal.js'
import { completeCopy, finishDraft, makeDraft, syncName, type RowCounts } from './copy.js'
import { asRefusal } from './failure.js'
import { checkFile, LOGS, refuseMissingFolder } from './file.js'
import { holdLock, refuseOwned } from './owner.js'

/** A database was restored. */
export interface Restored {
  rows: RowCounts
  /** Where the database of before is; undefined where there was none. */
  before?: string
}

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
    return replace(place, file, time)
  } catch (error) {
    throw error instanceof StartRefusal ? error : asRefusal(place, error)
  } finally {
    // Without a database, the lock would tell a start that there was one.
    if (!existsSync(place)) rmSync(`${place}.lock`, { force: true })
    release()
  }
}

function replace (place: string, file: string, time: Date): Restored {
  const { draft, remove } = makeDraft(place)
  try {
    const rows = copyAndCheck(file, draft, place)
    giveToOwnerOf(place, draft)
    const before = `${place}.before-restore-${time.toISOString().replaceAll(':', '-')}`
    const isKept = existsSync(place)
    // The database first: a start finds its log without it then, and is refused.
    for (const ending of ['', ...LOGS]) if (existsSync(place + ending)) renameSync(place + ending, before + ending)
    renameSync(draft, place)
    syncName(place)
    return { rows, ...(isKept ? { before } : {}) }
  } finally {
    remove()
  }
}

/**
 * Gives a draft to the owner of the database before, or else of the folder. Otherwise a server that is not root could
 * not open what root has restored.
 */
function giveToOwnerOf (place: string, draft: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(existsSync(place) ? place : dirname(place))
  chownSync(draft, uid, gid)
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

function copyAndCheck (file: string, draft: string, place: string): RowCounts {
  try {
    if (!statSync(file).isFile()) throw new StartRefusal(`The backup ${file} is not a file. Choose another file.`)
    const source = realpathSync(file)
    // The newest records may be in its log.
    for (const ending of ['', '-wal', '-journal']) {
      if (existsSync(source + ending)) copyFileSync(source + ending, draft + ending, constants.COPYFILE_FICLONE)
    }
    checkFile(draft, { copy: true })
    const rows = completeCopy(draft)
    finishDraft(draft)
    return rows
  } catch (error) {
    const { message, exitCode } = error instanceof StartRefusal ? error : asRefusal(draft, error)
    const sentence = message
      .replaceAll(`The database ${draft}`, exitCode === EXIT_TEMPORARY ? `The database ${place}` : `The backup ${file}`)
      .replaceAll(draft, file)
      .replace(/ (Restore a backup|Correct DATABASE_URL)\b.*/, ' Choose another file.')
      .replace(/ restore a backup( of before the upgrade)?/, ' choose another file')
    throw new StartRefusal(`Nothing was restored. ${sentence}`, exitCode, { cause: error })
  }
}
