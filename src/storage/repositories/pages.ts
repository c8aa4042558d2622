import type { Page } from '../../domain/pages.js'

/** An id that no number holds exactly is a bigint; the two can be compared. */
export type Id = number | bigint

/** An item of a list, with the id that gives it its place. */
export interface Entry<Item> {
  id: Id
  item: Item
}

/** Gives a page of so many items out of the entries from its first one on; one more than that says that it goes on. */
export function pageOf<Item> (entries: Entry<Item>[], limit: number): Page<Item> {
  const items = entries.slice(0, limit).map(({ item }) => item)
  return entries.length > limit ? { items, next: Number(entries[limit - 1]!.id) } : { items }
}
