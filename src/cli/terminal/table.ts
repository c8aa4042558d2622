import { escapeInvisible } from './invisible.js'

type Cell = string | number

/** Writes columns of text under their headings, with two spaces between them. */
export function tableOf (headings: string[], rows: Cell[][]): string {
  const lines = [headings, ...rows].map((row) => row.map((cell) => escapeInvisible(String(cell))))
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  const padded = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column]!)))
  return padded.map((cells) => cells.join('  ').trimEnd()).join('\n')
}

/**
 * Writes a table where a terminal has the columns for it, and else a record for each row, a line for each of its cells,
 * so that no line is broken within a word.
 */
export function tableOrRecords (headings: string[], rows: Cell[][], columns = Infinity): string {
  const table = tableOf(headings, rows)
  if (fits(table, columns)) return table
  const names = headings.map((heading) => heading.toLowerCase())
  return rows.map((row) => linesOf(names, row)).join('\n\n')
}

/** Writes a line for each name and its cell. */
function linesOf (names: string[], row: Cell[]): string {
  const [first, ...rest] = names.map((name, index): [string, string] => [name, String(row[index])])
  return tableOf(first!, rest)
}

/** Whether a terminal has the columns for every line of a text. */
export function fits (text: string, columns: number): boolean {
  return text.split('\n').every((line) => line.length <= columns)
}
