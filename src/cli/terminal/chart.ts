import { fits, tableOf, tableOrRecords } from './table.js'

/** The parts of a cell, from an eighth to the whole (Unicode block elements). */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉', '█']
/** Columns of the longest bar. */
const LEAST = 8
const MOST = 50

/**
 * Writes a table with a bar behind each row, as long as its value, where a terminal has the columns for that. Elsewhere
 * there are no bars, since only a person looks at them.
 */
export function chartOf (
  headings: string[],
  rows: (string | number)[][],
  values: number[],
  columns: number | undefined
): string {
  const table = tableOf(headings, rows)
  if (columns === undefined || !fits(table, columns)) return tableOrRecords(headings, rows, columns)
  const widest = Math.max(...table.split('\n').map((line) => line.length))
  const room = Math.min(MOST, columns - widest - 2)
  const largest = Math.max(...values)
  if (room < LEAST || largest === 0) return table
  const bars = values.map((value) => barOf((value / largest) * room))
  return tableOf([...headings, ''], rows.map((row, index) => [...row, bars[index]!]))
}

/** Gives a bar so many columns long; one that is not quite nothing is seen. */
function barOf (length: number): string {
  const eighths = length > 0 ? Math.max(1, Math.round(length * 8)) : 0
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]!
}
