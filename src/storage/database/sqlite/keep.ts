import type Sqlite from 'better-sqlite3'

const kept: (Sqlite.Database | Sqlite.Statement)[] = []

/**
 * Keeps a connection or statement of better-sqlite3 from being garbage-collected: on Node.js 24, version 12 ends the
 * process when one is. There are as many as there are opens and different statements, so what this holds is little.
 */
export function keep<Handle extends Sqlite.Database | Sqlite.Statement> (handle: Handle): Handle {
  kept.push(handle)
  return handle
}

/** The value of a pragma, or what setting it answers; undefined when that is nothing. */
export function pragma (connection: Sqlite.Database, text: string): unknown {
  const statement = keep(connection.prepare(`PRAGMA ${text}`))
  if (statement.reader) return Object.values((statement.get() as object) ?? {})[0]
  statement.run()
  return undefined
}
