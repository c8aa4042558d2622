import { chmodSync, closeSync, fsyncSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { StartRefusal } from '../../../domain/start-refusal.js'
import { OF_SERVERS } from '../migrations.js'
import { pragma, type Connection } from './connection.js'

/** How many rows each table of a database has. */
export type RowCounts = Record<string, number>

/** Gives how many rows each table has that a copy must have as well. */
export function countRows (connection: Connection): RowCounts {
  const tables = connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid")
    .all() as { name: string }[]
  const names = tables.map(({ name }) => name).filter((name) => !OF_SERVERS.includes(name))
  return Object.fromEntries(
    names.map((name) => [name, connection.prepare(`SELECT count(*) AS rows FROM "${name}"`).get().rows as number])
  )
}

/**
 * Makes a copied database one file that needs none beside it, checks every page and index of it, and gives its rows.
 * @throws {StartRefusal} when a page or an index is damaged
 */
export function completeCopy (path: string): RowCounts {
  const connection = new DatabaseSync(path)
  try {
    connection.exec('PRAGMA journal_mode = DELETE')
    for (const table of OF_SERVERS) {
      const found = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table)
      if (found) connection.exec(`DELETE FROM ${table}`)
    }
    const verdict = pragma(connection, 'integrity_check(1)')
    if (verdict !== 'ok') throw new StartRefusal(`The database ${path} is damaged: ${String(verdict)}.`)
    return countRows(connection)
  } finally {
    connection.close()
  }
}

/**
 * Creates a folder beside a path, which no other user can enter, for the draft of a file that gets its name once it is
 * whole. The folder is removed by `remove`, or when the process exits.
 * @throws an error of the system when it cannot be created
 */
export function makeDraft (path: string): { draft: string; remove: () => void } {
  const folder = mkdtempSync(`${path}.new-`)
  const remove = (): void => {
    process.off('exit', remove)
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', remove)
  return { draft: join(folder, basename(path)), remove }
}

/** Lets only this user read a complete draft, whatever the umask, and waits until the disk has it. */
export function finishDraft (draft: string): void {
  chmodSync(draft, 0o600)
  sync(draft)
}

/** Waits until the disk has what was written to a file or a folder. */
function sync (path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Waits until the disk has the name of a file. */
export function syncName (path: string): void {
  sync(dirname(path))
}
