import type { Page } from '../../domain/pages.js'
import { pageOf, type Entry, type Id } from './pages.js'

/** Reads so many entries that come after an id; `isLast` when there are no more. */
export type ReadOn<Item> = (after: Id, count: number) => { entries: Entry<Item>[]; isLast: boolean }

/** A part of a list: all entries whose ids are greater than `after` and at most `last`. */
interface Part<Item> {
  after: Id
  last: Id
  entries: Entry<Item>[]
  /** Pages that lie in this part, by where they begin and how long they are. */
  pages: Map<string, Page<Item>>
}

/** The most pages that are kept of a part: of a list that many ask for from its beginning, not one for each cursor. */
const MOST_PAGES = 2

/** Keeps the parts of a list that were read, so that pages are put together without reading them again. */
export class KeptList<Item> {
  readonly #readOn: ReadOn<Item>
  /** In the order of the ids; none overlaps another. */
  #parts: Part<Item>[] = []

  constructor (readOn: ReadOn<Item>) {
    this.#readOn = readOn
  }

  /** Gives at most so many items that come after an id. */
  page (after: number, limit: number): Page<Item> {
    const parts = this.#parts
    const page = this.#pageOf(after, limit)
    // While a part was read, all that it was put beside may have been dropped.
    return parts === this.#parts ? page : this.page(after, limit)
  }

  #pageOf (after: number, limit: number): Page<Item> {
    const first = this.#partAfter(after, limit + 1)
    const name = `${after} ${limit}`
    const kept = first.pages.get(name)
    if (kept) return kept
    let part = first
    const begin = firstAfter(first.entries, after)
    const entries = first.entries.slice(begin, begin + limit + 1)
    while (entries.length <= limit && part.last !== Infinity) {
      part = this.#partAfter(part.last, limit + 1 - entries.length)
      entries.push(...part.entries.slice(0, limit + 1 - entries.length))
    }
    const page = pageOf(entries, limit)
    if (part === first && first.pages.size < MOST_PAGES) first.pages.set(name, Object.freeze(page))
    return page
  }

  /** Drops the part in which an id lies, be there an entry for it or not. */
  drop (id: number): void {
    const index = this.#indexOf(id)
    // A part ends with its last id, and the next one begins right after it.
    const before = this.#parts[index - 1]
    if (before && before.last === id) this.#parts.splice(index - 1, 1)
    else if (this.#parts[index] && this.#parts[index].after < id) this.#parts.splice(index, 1)
  }

  dropAll (): void {
    this.#parts = []
  }

  /** Gives the part in which the entries after an id begin; one that is not kept is read, at least so many of it. */
  #partAfter (after: Id, count: number): Part<Item> {
    const kept = this.#parts[this.#indexOf(after)]
    if (kept && kept.after <= after) return kept
    const { entries, isLast } = this.#readOn(after, count)
    const part: Part<Item> = { after, last: isLast ? Infinity : entries.at(-1)!.id, entries, pages: new Map() }
    const index = this.#indexOf(after)
    const next = this.#parts[index]
    if (next && next.after < part.last) {
      part.last = next.after
      part.entries = entries.slice(0, firstAfter(entries, next.after))
    }
    this.#parts.splice(index, 0, part)
    return part
  }

  /** Where the first part stands that ends after an id. */
  #indexOf (id: Id): number {
    return firstIndex(this.#parts.length, (index) => this.#parts[index]!.last > id)
  }
}

function firstAfter<Item> (entries: Entry<Item>[], id: Id): number {
  return firstIndex(entries.length, (index) => entries[index]!.id > id)
}

/** The first of so many indexes for which something holds that then holds for all behind it (binary search). */
function firstIndex (length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
