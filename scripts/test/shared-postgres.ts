import { openPostgres } from '../../src/storage/database/postgres/postgres.js'
import { missingPostgres, startPostgres } from '../cluster/postgres.js'

/**
 * Starts a PostgreSQL for all the tests of a run, which copy the database at POSTGRES_TEMPLATE, whose schema is there
 * already; undefined where none is installed.
 */
export async function sharedPostgres (): Promise<
  { environment: Record<string, string>; end: () => Promise<void> } | undefined
> {
  if (missingPostgres) return undefined
  const { server, createDatabase } = await startPostgres()
  const url = await createDatabase()
  await (await openPostgres(url)).close()
  return { environment: { POSTGRES_TEMPLATE: url }, end: () => server.remove() }
}
