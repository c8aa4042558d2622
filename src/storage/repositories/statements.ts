import type { Row, Value } from '../database/database.js'

/** A table whose rows have an integer `id`, and how they become items. */
export interface Source<Item> {
  table: string
  columns: string
  toItem: (row: Row) => Item
}

/** SQL expressions and the values that they must have; one whose value is undefined does not count. */
export type Filter = Record<string, Value | undefined>

/** A statement with the values for its `$1`, `$2` …; it changes nothing. */
export type Statement = [sql: string, values: Value[]]

/** Reads the row with an id. */
export function rowWith ({ table, columns }: Source<unknown>, id: number | bigint): Statement {
  return [`SELECT ${columns} FROM ${table} WHERE id = $1`, [BigInt(id)]]
}

/** Reads so many of the rows that fit a filter and come after an id, in the order of their ids. */
export function rowsAfter (
  { table, columns }: Source<unknown>,
  { after, count, filter }: { after: number | bigint; count: number; filter: Filter }
): Statement {
  const given = Object.entries(filter).filter((entry): entry is [string, Value] => entry[1] !== undefined)
  const conditions = ['id > $1', ...given.map(([expression], index) => `${expression} = $${index + 3}`)]
  return [
    `SELECT ${columns} FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY id LIMIT $2`,
    [after, count, ...given.map(([, value]) => value)]
  ]
}
