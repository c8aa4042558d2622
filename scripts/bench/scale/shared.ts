import { missingPostgres, startPostgres } from '../../cluster/postgres.js'
import { missingRedis, startRedis, tell } from '../../cluster/redis.js'
import { showProgress } from '../../command/progress.js'
import { readDataset } from '../load/dataset.js'
import { requestsOf, WORKLOADS } from '../load/workloads.js'
import { summarize } from '../report/results.js'
import { runRounds } from '../rounds.js'
import { startService, store } from '../servers/service.js'
import type { AxisContext, AxisResult } from './axis.js'

/**
 * Measures one, two and three servers that share a PostgreSQL and a Redis. Only the processor time of the servers is
 * counted, which have one core together; PostgreSQL and Redis take what the system gives them.
 * @throws {Error} when PostgreSQL or Redis is not installed
 */
export async function scaleShared (context: AxisContext): Promise<AxisResult> {
  const { lifetime, cores, folder, settings, pets } = context
  const missing = missingPostgres ?? missingRedis
  if (missing !== undefined) throw new Error(missing)
  showProgress('Starts PostgreSQL and Redis …')
  const postgres = await startPostgres({ durable: true })
  lifetime.teardown(() => postgres.server.remove())
  const redis = await startRedis()
  lifetime.teardown(() => redis.server.remove())
  showProgress(`Stores ${pets} pets …`)
  const shared = { DATABASE_URL: await postgres.createDatabase(), REDIS_URL: redis.url }
  const stored = await store(folder, shared, pets)
  const services = await Promise.all([1, 2, 3].map(() => startService(lifetime, cores, stored)))
  const dataset = await readDataset(services[0]!.port, stored.key)
  const targets = services.map((_, index) => ({
    name: `${index + 1} of 3 servers`,
    servers: services.slice(0, index + 1)
  }))
  const windows = await runRounds({
    loads: ['L', 'G', 'C', 'M'],
    targets,
    requestsOf: (load) => requestsOf(load, dataset, stored.key, 'real'),
    settings,
    afterWindow: () => Promise.all(services.map((service) => service.emptyLog()))
  })
  return {
    summaries: summarize(windows, targets[0]!.name),
    titles: WORKLOADS,
    figures: { 'time of Redis for a charge or another script, us': await scriptTimeOf(redis.url) }
  }
}

async function scriptTimeOf (redisUrl: string): Promise<number> {
  const stats = String(await tell(redisUrl, 'INFO', 'commandstats'))
  return Number(/^cmdstat_evalsha:.*usec_per_call=([\d.]+)/m.exec(stats)![1])
}
