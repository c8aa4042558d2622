import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { MIGRATIONS } from './migrations.js'

/** Gives the parts that a schema of a version has: `the index pets_by_status`, `the column name of pets`. */
export function partsOfVersion (version: number): Set<string> {
  const reference = new DatabaseSync(':memory:')
  try {
    reference.exec(MIGRATIONS.slice(0, version).join(';'))
    return partsOf(reference)
  } finally {
    reference.close()
  }
}

/** Gives the parts that the schema of a SQLite database has. */
export function partsOf (connection: Pick<DatabaseSyncInstance, 'prepare'>): Set<string> {
  const rows = connection
    .prepare(
      `SELECT 'the index ' || name AS part FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL
       UNION ALL
       SELECT 'the column ' || c.name || ' of ' || t.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`
    )
    .all() as { part: string }[]
  return new Set(rows.map(({ part }) => part))
}
