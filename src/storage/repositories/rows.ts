import type { Page, PageRequest } from '../../domain/pages.js'
import type { Snapshot } from '../../domain/snapshot.js'
import type { Database, Id, Value } from '../database/database.js'
import { rowsIn, rowWith, type Source } from './statements.js'

/** Reads the items of a table. */
export interface Rows<Item> {
  /** Returns the item with an id; undefined when there is none. */
  find(id: Id): Promise<Snapshot<Item> | undefined>
  /** Returns a page in the order of the ids; with a filter, of the rows for which that of the source has its value. */
  list(page: PageRequest, filter?: Value): Promise<Page<Item>>
}

/** Makes the reader of a table. On a local database it tells whether what it read is still current. */
export function rowsOf<Item> (database: Database, source: Source<Item>): Rows<Item> {
  const watched = database.local?.watch(source.table)
  // A transaction also reads what is not committed.
  const mark = () => (database.local ? watched?.() : undefined)
  return {
    async find (id) {
      const since = mark()
      const [row] = await database.read(...rowWith(source, id))
      return row && { value: source.toItem(row), isCurrent: since?.(id, id) }
    },

    async list ({ after = 0, limit }, filter) {
      const since = mark()
      const rows = await database.read(...rowsIn(source, { after, count: limit + 1, filter }))
      // One row more than the page has says that there is a next one, so the page depends on it too.
      const more = rows[limit]
      return {
        items: rows.slice(0, limit).map(source.toItem),
        ...(more ? { next: Number(rows[limit - 1]!.id) } : {}),
        isCurrent: since?.(after, more ? (more.id as Id) : Infinity)
      }
    }
  }
}
