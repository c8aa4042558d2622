import { sqlitePathOf } from '../../config.js'
import { StartRefusal } from '../../domain/start-refusal.js'

/**
 * Gives the path of the SQLite database that a URL names.
 * @throws {StartRefusal} with the sentence for PostgreSQL when it names one
 */
export function sqliteFileOf (url: string, postgresSentence: string): string {
  const path = sqlitePathOf(url)
  if (path === undefined) throw new StartRefusal(postgresSentence)
  return path
}

/** Says how many rows a verified copy has in each table that has some. */
export function rowsText (rows: Record<string, number>): string {
  const counts = Object.entries(rows)
    .filter(([, count]) => count > 0)
    .map(([table, count]) => `${count.toLocaleString('en-US')} ${table.replaceAll('_', ' ')}`)
  return `${counts.join(', ') || 'no records'}. Every page and every count was verified.`
}

/** Writes a number of bytes for a person: `812 kB`, `64.8 MB`. */
export function sizeText (bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} kB`
  return `${(bytes / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`
}
