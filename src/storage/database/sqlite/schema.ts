import { StartRefusal } from '../../../domain/start-refusal.js'
import { MIGRATIONS } from '../migrations.js'
import { partsOf, partsOfVersion } from '../schema-parts.js'
import { pragma, type Connection } from './connection.js'

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

/** Brings the schema of a database forward to the newest version, each step in a transaction. */
export function migrate (connection: Connection): void {
  const version = () => pragma(connection, 'user_version') as number
  while (version() < MIGRATIONS.length) {
    connection.exec('BEGIN IMMEDIATE')
    try {
      const next = version()
      if (next < MIGRATIONS.length) connection.exec(`${MIGRATIONS[next]}; PRAGMA user_version = ${next + 1}`)
      connection.exec('COMMIT')
    } finally {
      if (connection.isTransaction) connection.exec('ROLLBACK')
    }
  }
}
