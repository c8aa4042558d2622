import type { Page } from '../../domain/pages.js'
import { pageOf, type Entry, type Id } from './pages.js'

/** Reads so many entries that come after an id; `isLast` when there are no more. */
export type ReadOn<Item> = (after: Id, count: number) => { entries: Entry<Item>[]; isLast: boolean }

/** A part of a list: all entries whose ids are greater than `after` and at most `last`. */
interface Part<Item> {
  after: Id
  last: Id
  entries: Entry<Item>[]
  isDropped: boolean
}

/** A page with the parts that it was put together from; it is right as long as none of them is dropped. */
interface KeptPage<Item> {
  page: Page<Item>
  parts: Part<Item>[]
}

/**
 * The most that is kept of a list as pages, in items, whose JSON the answers hold once more. A page counts as one more,
 * so that those without an item are bounded too.
 */
const MOST_IN_PAGES = 50_000

/** Keeps the parts of a list that were read, and the pages that were put together from them. */
export class KeptList<Item> {
  readonly #readOn: ReadOn<Item>
  readonly #mostInPages: number
  /** In the order of the ids; none overlaps another. */
  #parts: Part<Item>[] = []
  /**
   * By how long they are, and where they begin. One of a dropped part stays until it is asked for again, or all are
   * given up.
   */
  readonly #pages = new Map<number, Map<number, KeptPage<Item>>>()
  /** How much was kept as pages since all of them were last given up, counted as MOST_IN_PAGES is. */
  #inPages = 0

  constructor (readOn: ReadOn<Item>, { mostInPages = MOST_IN_PAGES } = {}) {
    this.#readOn = readOn
    this.#mostInPages = mostInPages
  }

  /** Gives at most so many items that come after an id. */
  page (after: number, limit: number): Page<Item> {
    const kept = this.#pages.get(limit)?.get(after)
    if (kept && !kept.parts.some(({ isDropped }) => isDropped)) return kept.page
    const parts = this.#parts
    const made = this.#putTogether(after, limit)
    // While a part was read, all that it was put beside may have been dropped.
    if (parts !== this.#parts) return this.page(after, limit)
    this.#keep(after, limit, made)
    return made.page
  }

  #putTogether (after: number, limit: number): KeptPage<Item> {
    let part = this.#partAfter(after, limit + 1)
    const parts = [part]
    const begin = firstAfter(part.entries, after)
    const entries = part.entries.slice(begin, begin + limit + 1)
    while (entries.length <= limit && part.last !== Infinity) {
      part = this.#partAfter(part.last, limit + 1 - entries.length)
      parts.push(part)
      entries.push(...part.entries.slice(0, limit + 1 - entries.length))
    }
    return { page: Object.freeze(pageOf(entries, limit)), parts }
  }

  #keep (after: number, limit: number, kept: KeptPage<Item>): void {
    const size = kept.page.items.length + 1
    if (this.#inPages + size > this.#mostInPages) this.#dropPages()
    this.#inPages += size
    const ofLimit = this.#pages.get(limit)
    if (ofLimit) ofLimit.set(after, kept)
    else this.#pages.set(limit, new Map([[after, kept]]))
  }

  #dropPages (): void {
    this.#pages.clear()
    this.#inPages = 0
  }

  /** Drops the part in which an id lies, be there an entry for it or not. */
  drop (id: number): void {
    const index = this.#indexOf(id)
    // A part ends with its last id, and the next one begins right after it.
    const before = this.#parts[index - 1]
    if (before && before.last === id) this.#dropPart(index - 1)
    else if (this.#parts[index] && this.#parts[index].after < id) this.#dropPart(index)
  }

  #dropPart (index: number): void {
    for (const part of this.#parts.splice(index, 1)) {
      part.isDropped = true
      // Pages that are not right any more may still refer to it.
      part.entries = []
    }
  }

  dropAll (): void {
    // No part needs a mark, as no page is left that refers to one.
    this.#parts = []
    this.#dropPages()
  }

  /** Gives the part in which the entries after an id begin; one that is not kept is read, at least so many of it. */
  #partAfter (after: Id, count: number): Part<Item> {
    const kept = this.#parts[this.#indexOf(after)]
    if (kept && kept.after <= after) return kept
    const { entries, isLast } = this.#readOn(after, count)
    const last = isLast ? Infinity : entries.at(-1)!.id
    const part: Part<Item> = { after, last, entries, isDropped: false }
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
