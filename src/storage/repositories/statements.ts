import type { Row, Value } from '../database/database.js'

/** A table whose rows have an integer `id`, and how they become items. */
export interface Source<Item> {
  table: string
  columns: string
  /** An SQL expression of a row; a list may be of the rows for which it has a value. */
  filter?: string
  toItem: (row: Row) => Item
}

/** A part of a list: so many rows that come after an id, of those whose filter has a value, when one is given. */
export interface Range {
  after: number | bigint
  count: number
  filter: Value | undefined
}

/** A statement with the values for its `$1`, `$2` …; it changes nothing. */
export type Statement = [sql: string, values: Value[]]

/** Reads the row with an id. */
export function rowWith ({ table, columns }: Source<unknown>, id: number | bigint): Statement {
  return [`SELECT ${columns} FROM ${table} WHERE id = $1`, [BigInt(id)]]
}

/** Reads the rows of a range, in the order of their ids. */
export function rowsIn ({ table, columns, filter }: Source<unknown>, range: Range): Statement {
  const select = `SELECT ${columns} FROM ${table} WHERE id > $1`
  const part = 'ORDER BY id LIMIT $2'
  if (range.filter === undefined) return [`${select} ${part}`, [range.after, range.count]]
  return [`${select} AND ${filter} = $3 ${part}`, [range.after, range.count, range.filter]]
}
