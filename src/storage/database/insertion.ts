import type { Value } from './database.js'

/**
 * Gives one statement that inserts many rows in their order, and its values. A statement may have 32,766 values on
 * SQLite and 65,535 on PostgreSQL.
 */
export function insertionOf (table: string, columns: string[], rows: Value[][]): [sql: string, values: Value[]] {
  const places = rows.map((row, rowIndex) => {
    const first = rowIndex * columns.length + 1
    return `(${row.map((_, index) => `$${first + index}`).join(', ')})`
  })
  return [`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${places.join(', ')}`, rows.flat()]
}
