import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
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

/** Gives the name under which a file is built that will have another name once it is whole. */
export function draftOf (path: string): string {
  return `${path}.${process.pid}.new`
}

/** Runs a work that builds a draft. What is left of the draft goes in any case, also when the process exits. */
export async function withDraft<Result> (draft: string, work: () => Promise<Result>): Promise<Result> {
  const remove = (): void => {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(draft + ending, { force: true })
  }
  remove()
  process.once('exit', remove)
  try {
    return await work()
  } finally {
    process.off('exit', remove)
    remove()
  }
}

/** Waits until the disk has what was written to a file or a folder. */
export function sync (path: string): void {
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
