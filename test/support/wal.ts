import { readFileSync } from 'node:fs'

/**
 * Counts the transactions in the write-ahead log of a SQLite database: every frame that ends one holds the size of the
 * database (https://www.sqlite.org/fileformat2.html#walformat).
 */
export function commitsIn (path: string): number {
  const wal = readFileSync(`${path}-wal`)
  if (wal.length === 0) return 0
  const frame = 24 + wal.readUInt32BE(8)
  const salt = wal.subarray(16, 24)
  let commits = 0
  for (let at = 32; at + frame <= wal.length && wal.subarray(at + 8, at + 16).equals(salt); at += frame) {
    if (wal.readUInt32BE(at + 4) > 0) commits++
  }
  return commits
}
