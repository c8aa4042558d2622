import { createHash } from 'node:crypto'
import { StartRefusal } from '../../domain/start-refusal.js'
import type { Database, Row, Value } from './database.js'
import { insertionOf } from './insertion.js'
import { OF_SERVERS, TABLES } from './migrations.js'

/** Rows that are read and written at a time. */
const BATCH = 500
/** The table in the target that says how far a data migration is, until it ends; migrations that were begun have it. */
const PROGRESS = 'petstore_copy'

const OF_RECORDS = TABLES.filter((table) => !OF_SERVERS.includes(table))

/** How far a table is: so many of its rows are copied, or compared. */
export type Progress = (table: string, done: 'copied' | 'compared', rows: number, of: number) => void

/** How many rows of a table are in the target, and whether they are those of the source. */
export interface Comparison {
  table: string
  rows: number
  same: boolean
}

/**
 * Copies all records of a SQLite database into an empty PostgreSQL database, with their ids, and reads both back to
 * compare them. A data migration that was broken off goes on where it was.
 * @throws {StartRefusal} when the target has records of its own
 */
export async function migrateRecords (
  source: Database,
  target: Database,
  onProgress: Progress
): Promise<Comparison[]> {
  await beginOrResume(target)
  for (const { name, seq } of await source.read('SELECT name, seq FROM sqlite_sequence WHERE seq > 0')) {
    await target.write("SELECT setval(pg_get_serial_sequence($1, 'id'), $2)", [name!, seq!])
  }
  for (const table of OF_RECORDS) await copyTable(source, target, table, onProgress)
  const comparisons: Comparison[] = []
  for (const table of OF_RECORDS) comparisons.push(await compare(source, target, table, onProgress))
  if (comparisons.every(({ same }) => same)) await target.write(`DROP TABLE ${PROGRESS}`)
  return comparisons
}

/** Whether a data migration to this PostgreSQL database was begun and has not ended. */
export async function isPartlyMigrated (target: Database): Promise<boolean> {
  const found = await target.read(
    'SELECT 1 AS yes FROM pg_tables WHERE tablename = $1 AND schemaname = current_schema()',
    [PROGRESS]
  )
  return found.length > 0
}

async function beginOrResume (target: Database): Promise<void> {
  if (await isPartlyMigrated(target)) return
  for (const table of OF_RECORDS) {
    const [row] = await target.read(`SELECT 1 AS yes FROM ${table} LIMIT 1`)
    if (row) {
      throw new StartRefusal(
        `The target has records already, in the table ${table}. Records can only be moved into an empty database.`
      )
    }
  }
  await target.write(
    `CREATE TABLE ${PROGRESS} (name TEXT PRIMARY KEY, position TEXT NOT NULL, copied BIGINT NOT NULL)`
  )
}

async function copyTable (source: Database, target: Database, table: string, onProgress: Progress): Promise<void> {
  const keys = await primaryKeyOf(source, table)
  const of = await rowsIn(source, table)
  const [before] = await target.read(`SELECT position, copied FROM ${PROGRESS} WHERE name = $1`, [table])
  let copied = Number(before?.copied ?? 0)
  onProgress(table, 'copied', copied, of)
  for await (const rows of pagesOf(source, table, keys, before && JSON.parse(before.position as string))) {
    copied += rows.length
    const columns = Object.keys(rows[0]!)
    const insertion = insertionOf(
      table,
      columns.map(quoted),
      rows.map((row) => columns.map((column) => row[column]!))
    )
    // Together, so that a data migration that goes on neither leaves a row out nor meets one twice.
    await target.transaction(async ({ write }) => {
      await write(...insertion)
      await write(
        `INSERT INTO ${PROGRESS} (name, position, copied) VALUES ($1, $2, $3)
         ON CONFLICT (name) DO UPDATE SET position = excluded.position, copied = excluded.copied`,
        [table, JSON.stringify(keys.map((key) => rows.at(-1)![key])), copied]
      )
    })
    onProgress(table, 'copied', copied, of)
  }
}

async function compare (source: Database, target: Database, table: string, onProgress: Progress): Promise<Comparison> {
  const keys = await primaryKeyOf(source, table)
  const of = await rowsIn(source, table)
  const wanted = await digestOf(source, table, keys)
  const found = await digestOf(target, table, keys, (rows) => onProgress(table, 'compared', Math.min(rows, of), of))
  return { table, rows: found.rows, same: wanted.rows === found.rows && wanted.digest === found.digest }
}

async function rowsIn (database: Database, table: string): Promise<number> {
  return Number((await database.read(`SELECT count(*) AS count FROM ${table}`))[0]!.count)
}

/** The columns of the primary key. */
async function primaryKeyOf (source: Database, table: string): Promise<string[]> {
  const columns = await source.read(`PRAGMA table_info(${table})`)
  return columns
    .filter(({ pk }) => Number(pk) > 0)
    .sort((one, other) => Number(one.pk) - Number(other.pk))
    .map(({ name }) => name as string)
}

/** The rows of a table in the order of its primary key, a batch at a time, from behind a position on. */
async function * pagesOf (
  database: Database,
  table: string,
  keys: string[],
  position?: Value[]
): AsyncGenerator<Row[]> {
  const columns = keys.map(quoted).join(', ')
  for (;;) {
    const behind = position ? `WHERE (${columns}) > (${keys.map((_, index) => `$${index + 1}`).join(', ')})` : ''
    const rows = await database.read(
      `SELECT * FROM ${table} ${behind} ORDER BY ${columns} LIMIT ${BATCH}`,
      position ?? []
    )
    if (rows.length === 0) return
    yield rows
    position = keys.map((key) => rows.at(-1)![key]!)
  }
}

/** A number that is the same for the same rows, in whatever order a database gives them. */
async function digestOf (
  database: Database,
  table: string,
  keys: string[],
  onRows: (rows: number) => void = () => {}
): Promise<{ rows: number; digest: bigint }> {
  let count = 0
  let digest = 0n
  for await (const rows of pagesOf(database, table, keys)) {
    count += rows.length
    onRows(count)
    for (const row of rows) {
      digest = BigInt.asUintN(64, digest + createHash('sha256').update(textOf(row)).digest().readBigUInt64BE())
    }
  }
  return { rows: count, digest }
}

function textOf (row: Row): string {
  const cells = Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify(cells.map(([column, value]) => [column, toJson(value)]))
}

function toJson (value: Value): string | number | null {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}

function quoted (column: string): string {
  return `"${column}"`
}
