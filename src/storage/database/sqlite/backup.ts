import { existsSync, linkSync, realpathSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from '@photostructure/sqlite'
import { StartRefusal } from '../../../domain/start-refusal.js'
import { completeCopy, countRows, finishDraft, makeDraft, syncName, type RowCounts } from './copy.js'
import { asRefusal } from './failure.js'
import { BESIDE, ensureFile, LOGS } from './file.js'

/** A file holds a whole backup. */
export interface Backup {
  bytes: number
  rows: RowCounts
}

export interface BackupOptions {
  /** Whether a file that stands at the target may be replaced. */
  replace: boolean
  /** Is told how far the copy is, from 0 to 1. */
  onProgress?: (part: number) => void
}

/** There is a file where the backup would be written. */
export class BackupExists extends Error {
  override readonly name = 'BackupExists'
}

/** Pages that are copied at a time: 4 MB. */
const STEP = 1_000

/**
 * Copies the database of one moment into a file, while servers read and write it, and verifies the copy. The file is on
 * the disk and whole when this resolves; until then nothing stands at the target, or what stood there before.
 * @throws {BackupExists} when there is a file already, and `replace` is not set
 * @throws {StartRefusal} when the database or the target cannot be used, or the database is damaged
 */
export async function backUp (
  path: string,
  target: string,
  { replace, onProgress = () => {} }: BackupOptions
): Promise<Backup> {
  ensureFile(path, { copy: true })
  refuseTarget(path, target)
  if (existsSync(target) && !replace) throw new BackupExists(target)
  const { draft, remove } = makeDraft(target)
  try {
    const wanted = await copyPages(path, draft, onProgress)
    const rows = completeCopy(draft)
    if (JSON.stringify(rows) !== JSON.stringify(wanted)) {
      throw new StartRefusal(`The copy of ${path} has not the rows of the database: ${JSON.stringify({ rows, wanted })}.`)
    }
    finishDraft(draft)
    const bytes = statSync(draft).size
    putInPlace(draft, target, replace)
    return { bytes, rows }
  } catch (error) {
    if (error instanceof BackupExists) throw error
    // The draft is a copy of its pages, damaged ones too.
    const refusal = error instanceof StartRefusal ? error : asRefusal(target, error)
    throw new StartRefusal(refusal.message.replace(draft, path), refusal.exitCode, { cause: error })
  } finally {
    remove()
  }
}

/**
 * Copies all pages as they are in one read transaction, and gives the rows of each table in it. Without a transaction
 * that lasts, the copy would begin anew whenever somebody writes.
 */
async function copyPages (path: string, draft: string, onProgress: (part: number) => void): Promise<RowCounts> {
  let source: InstanceType<typeof DatabaseSync> | undefined
  try {
    source = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
    source.exec('BEGIN')
    const rows = countRows(source)
    await backup(source, draft, {
      rate: STEP,
      progress: ({ totalPages, remainingPages }) => onProgress(1 - remainingPages / totalPages)
    })
    return rows
  } catch (error) {
    throw asRefusal(path, error)
  } finally {
    source?.close()
  }
}

function refuseTarget (path: string, target: string): void {
  const folder = dirname(target)
  if (!existsSync(folder)) {
    throw new StartRefusal(`The folder ${folder} of the backup does not exist. Create it, or choose another.`)
  }
  const database = realpathSync(path)
  const place = existsSync(target) ? realpathSync(target) : target
  if (place === database) throw new StartRefusal(`The file ${target} is the database itself. Choose another name.`)
  if (BESIDE.some((ending) => place === database + ending)) {
    throw new StartRefusal(`The file ${target} belongs to the database itself. Choose another name.`)
  }
  const log = LOGS.map((ending) => place + ending).find((name) => existsSync(name))
  if (log !== undefined) {
    throw new StartRefusal(`SQLite would read ${log} with the backup. Remove that file, or choose another name.`)
  }
}

function putInPlace (draft: string, target: string, replace: boolean): void {
  if (replace) renameSync(draft, target)
  else {
    try {
      linkSync(draft, target)
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? new BackupExists(target) : error
    }
  }
  syncName(target)
}
