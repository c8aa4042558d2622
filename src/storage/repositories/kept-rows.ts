import type { Page, PageRequest } from '../../domain/pages.js'
import type { LocalDatabase, Row, Value } from '../database/database.js'
import { KeptList } from './kept-list.js'
import type { Entry, Id } from './pages.js'
import { rowsIn, rowWith, type Source } from './statements.js'

/** How much memory the items of a table may take, in bytes; beyond it, all of them are read anew. */
const MOST_BYTES = 64 * 1024 * 1024
/** About what an item takes besides its texts: its object, its JSON, and its places in a map and a list, in bytes. */
const ITEM_BYTES = 400
/** How many rows are read at least when a list is read on: more than a page of the usual size needs. */
const READ_AHEAD = 40

/**
 * Keeps the items of a table of a local database in memory, exactly: an item is dropped when a commit changes its row,
 * and everything when another process commits. What is given is frozen, and the same object as long as it is kept.
 */
export class KeptRows<Item extends object> {
  readonly #database: LocalDatabase
  readonly #source: Source<Item>
  readonly #mostBytes: number
  readonly #items = new Map<Id, Item>()
  readonly #lists = new Map<Value | undefined, KeptList<Item>>()
  #bytes = 0

  constructor (database: LocalDatabase, source: Source<Item>, { mostBytes = MOST_BYTES } = {}) {
    this.#database = database
    this.#source = source
    this.#mostBytes = mostBytes
    database.watch(source.table, (id) => (id === undefined ? this.#dropAll() : this.#drop(id)))
  }

  find (id: Id): Item | undefined {
    this.#database.catchUp()
    const kept = this.#items.get(id)
    if (kept) return kept
    this.#dropTooMuch()
    const [row] = this.#database.readNow(...rowWith(this.#source, id))
    return row && this.#keep(row).item
  }

  list ({ after = 0, limit }: PageRequest, filter?: Value): Page<Item> {
    this.#database.catchUp()
    this.#dropTooMuch()
    let list = this.#lists.get(filter)
    if (!list) {
      list = new KeptList((after, count) => this.#read(after, Math.max(count, READ_AHEAD), filter))
      this.#lists.set(filter, list)
    }
    return list.page(after, limit)
  }

  #read (after: Id, count: number, filter: Value | undefined): { entries: Entry<Item>[]; isLast: boolean } {
    // What is read is put beside what is kept, so both must be of one state.
    let rows: Row[]
    do rows = this.#database.readNow(...rowsIn(this.#source, { after, count, filter }))
    while (this.#database.catchUpNow())
    return { entries: rows.map((row) => this.#keep(row)), isLast: rows.length < count }
  }

  #keep (row: Row): Entry<Item> {
    const id = row.id as Id
    const kept = this.#items.get(id)
    if (kept) return { id, item: kept }
    const item = Object.freeze(this.#source.toItem(row))
    this.#items.set(id, item)
    this.#bytes += ITEM_BYTES
    for (const column in row) {
      const value = row[column]
      if (typeof value === 'string') this.#bytes += 4 * value.length
    }
    return { id, item }
  }

  #drop (id: number): void {
    // Of a larger one it is not known which row it is.
    if (!Number.isSafeInteger(id)) return this.#dropAll()
    this.#items.delete(id)
    for (const list of this.#lists.values()) list.drop(id)
  }

  #dropTooMuch (): void {
    if (this.#bytes > this.#mostBytes) this.#dropAll()
  }

  #dropAll (): void {
    this.#items.clear()
    for (const list of this.#lists.values()) list.dropAll()
    this.#bytes = 0
  }
}
