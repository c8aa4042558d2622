import type { Awaitable } from '../../domain/awaitable.js'
import type { Page, PageRequest } from '../../domain/pages.js'
import type { Database, Value } from '../database/database.js'
import { KeptRows } from './kept-rows.js'
import { pageOf, type Id } from './pages.js'
import { rowsIn, rowWith, type Source } from './statements.js'

/** Reads the items of a table. */
export interface Rows<Item> {
  /** Gives the item with an id; undefined when there is none. */
  find(id: Id): Awaitable<Item | undefined>
  /** Gives a page of the items, of those whose filter has a value, when one is given; in the order of their ids. */
  list(page: PageRequest, filter?: Value): Awaitable<Page<Item>>
}

/**
 * Makes what reads the items of a table. Those of a local database are kept in memory, and given without a wait, until
 * their rows change.
 */
export function rowsOf<Item extends object> (database: Database, source: Source<Item>): Rows<Item> {
  const read = readRows(database, source)
  if (!database.local) return read
  const kept = new KeptRows(database.local, source)
  // Within a transaction, the database knows more than what was kept.
  const rows = (): Rows<Item> => (database.local ? kept : read)
  return {
    find: (id) => rows().find(id),
    list: (page, filter) => rows().list(page, filter)
  }
}

/** Reads from the database each time. */
function readRows<Item> (database: Database, source: Source<Item>): Rows<Item> {
  return {
    async find (id) {
      const [row] = await database.read(...rowWith(source, id))
      return row && source.toItem(row)
    },
    async list ({ after = 0, limit }, filter) {
      const rows = await database.read(...rowsIn(source, { after, count: limit + 1, filter }))
      return pageOf(rows.map((row) => ({ id: row.id as Id, item: source.toItem(row) })), limit)
    }
  }
}
