import { openPostgres } from '../../src/storage/database/postgres/postgres.js'
import { missingPostgres, startPostgres } from '../cluster/postgres.js'
import type { Lifetime } from '../command/lifetime.js'

/**
 * Starts one PostgreSQL for all the tests of a run, where it is installed, with a database that has the tables of the
 * service. Gives the environment by which the tests find that database, to make copies of it.
 */
export async function startSharedPostgres (lifetime: Lifetime): Promise<Record<string, string>> {
  if (missingPostgres) return {}
  const { server, createDatabase } = await startPostgres()
  lifetime.teardown(() => server.remove())
  const url = await createDatabase()
  await (await openPostgres(url)).close()
  return { POSTGRES_TEMPLATE: url }
}
