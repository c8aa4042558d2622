import type { Row, Value } from '../database.js'

/** What may be remembered, in bytes of texts and 16 bytes for any other value; beyond it all is read anew. */
const MOST_BYTES = 16 * 1024 * 1024

/**
 * Remembers the rows that statements read, for as long as the version of the database is the same: that is, nobody has
 * committed anything, so that the statements would read the same. Nobody may change the rows.
 */
export class RememberedReads {
  readonly #rows = new Map<string, Row[]>()
  #version = NaN
  #bytes = 0

  /** Gives the rows of a statement with these values: those of `read`, or those that it gave before. */
  rowsOf (version: number, sql: string, values: readonly Value[], read: () => Row[]): Row[] {
    if (version !== this.#version || this.#bytes > MOST_BYTES) this.#forget(version)
    const name = nameOf(sql, values)
    const remembered = this.#rows.get(name)
    if (remembered) return remembered
    const rows = read()
    this.#rows.set(name, rows)
    this.#bytes += name.length
    for (const row of rows) for (const column in row) this.#bytes += bytesOf(row[column]!)
    return rows
  }

  #forget (version: number): void {
    this.#rows.clear()
    this.#version = version
    this.#bytes = 0
  }
}

/** A text that no other statement with other values has. */
function nameOf (sql: string, values: readonly Value[]): string {
  let name = sql
  for (const value of values) {
    // A length before each text, so that none can look like the values behind it; a letter for each type.
    if (typeof value === 'string') name += `\0s${value.length}:${value}`
    else if (value instanceof Uint8Array) name += `\0b${Buffer.from(value).toString('base64')}`
    else name += `\0${typeof value === 'bigint' ? 'i' : 'n'}${value}`
  }
  return name
}

function bytesOf (value: Value): number {
  if (typeof value === 'string') return 2 * value.length
  return value instanceof Uint8Array ? value.byteLength : 16
}
