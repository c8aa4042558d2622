import type { Page, PageRequest } from '../../domain/pages.js'
import type { Queries, Row, Value } from '../database/database.js'

interface Rows {
  table: string
  columns: string
  filter?: Record<string, Value | undefined>
}

/**
 * Reads a page of a table that has an `id`, in the order of the ids. The filter gives SQL expressions and the values
 * that they must have; one whose value is undefined does not count.
 */
export async function readPage<Item> (
  database: Queries,
  { table, columns, filter = {} }: Rows,
  { limit, after = 0 }: PageRequest,
  toItem: (row: Row) => Item
): Promise<Page<Item>> {
  const given = Object.entries(filter).filter((entry): entry is [string, Value] => entry[1] !== undefined)
  const conditions = ['id > $1', ...given.map(([expression], index) => `${expression} = $${index + 3}`)]
  const rows = await database.read(
    `SELECT ${columns} FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY id LIMIT $2`,
    [after, limit + 1, ...given.map(([, value]) => value)]
  )
  const items = rows.slice(0, limit).map(toItem)
  return rows.length > limit ? { items, next: Number(rows[limit - 1]!.id) } : { items }
}
