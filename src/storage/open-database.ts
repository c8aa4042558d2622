import type { Database } from './database.js'
import { openSqlite } from './sqlite.js'

/** The CLI has time, and leaves the connections to the servers. */
const PATIENT = { deadline: 30_000, connections: 2 }

/**
 * Opens the database that a URL names: `sqlite:PATH`, whose owner is the server, while the CLI may open it beside; or `postgres://…`,
 * which any number of servers share.
 * @throws {StartRefusal} with a sentence for the operator and the exit code
 */
export async function openDatabase (url: string, { owner }: { owner: boolean }): Promise<Database> {
  if (url.startsWith('sqlite:')) return openSqlite(url.slice('sqlite:'.length), { owner })
  // Loaded here, so that who needs none of it does not wait for it.
  const { openPostgres } = await import('./postgres.js')
  return await openPostgres(url, owner ? {} : PATIENT)
}
