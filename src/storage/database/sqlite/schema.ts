import { DatabaseSync } from '@photostructure/sqlite'
import { StartRefusal } from '../../../domain/start-refusal.js'
import { MIGRATIONS } from '../migrations.js'
import type { Connection } from './connection.js'

/**
 * Makes sure that a database has the tables, columns and indexes of the version that it says its schema has, and none
 * of those that a later version adds. What somebody else has added to it is not looked at.
 * @throws {StartRefusal} when it is not so
 */
export function checkSchema (connection: Connection, path: string, version: number): void {
  const refuse = (fault: string): never => {
    throw new StartRefusal(
      `The database ${path} is damaged: it says that its schema has the version ${version}, but ${fault}. ` +
        'Restore a backup, or move the file away to begin with an empty database.'
    )
  }
  if (version < 0) refuse('the first is 0')
  const present = partsOf(connection)
  const wanted = partsOfVersion(version)
  for (const part of wanted) if (!present.has(part)) refuse(`${part} is missing`)
  if (version === MIGRATIONS.length) return
  for (const part of partsOfVersion(MIGRATIONS.length)) {
    if (present.has(part) && !wanted.has(part)) refuse(`${part} of a later version is there`)
  }
}

function partsOfVersion (version: number): Set<string> {
  const reference = new DatabaseSync(':memory:')
  try {
    reference.exec(MIGRATIONS.slice(0, version).join(';'))
    return partsOf(reference)
  } finally {
    reference.close()
  }
}

/** The parts of a schema: `the index pets_by_status`, `the column name of pets`. */
function partsOf (connection: Connection): Set<string> {
  const rows = connection
    .prepare(
      `SELECT 'the index ' || name AS part FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL
       UNION ALL
       SELECT 'the column ' || c.name || ' of ' || t.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
       WHERE t.type = 'table'`
    )
    .all() as { part: string }[]
  return new Set(rows.map(({ part }) => part))
}
