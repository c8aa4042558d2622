#!/usr/bin/env tsx
// What is promised of a cluster, counted under load on this machine: its limits and its keys, PostgreSQL killed and
// frozen, Redis away, servers restarted. Prints a line of figures for each and 'N passed, N failed'; takes about ten
// minutes.
import { stormPro, revokeUnderLoad } from './cluster/agreement.js'
import { startBalancer } from './cluster/balancer.js'
import { minuteWith, startCluster } from './cluster/cluster.js'
import { harmPostgres, harmRedis, postgresText, redisText, REDIS_FAULTS, roll, rollText } from './cluster/faults.js'
import { hangUp, percentile, tally } from './cluster/load.js'
import { readOptions } from './arguments.js'
import { demandPrograms, readCount, runToTheEnd } from './cluster/run.js'
import { Report } from './report.js'

const options = readOptions(
  'Usage: npm run faults -- [--rounds N]\n\nCounts what three servers let through, kills and freezes PostgreSQL N times each (20), takes Redis away in every way, and restarts the\nservers N times behind nginx, all under load on this machine. Takes about ten minutes. Needs npm run build, PostgreSQL, Redis and nginx.',
  { rounds: { type: 'string', default: '20' } }
)
const rounds = readCount('--rounds', options.rounds)
demandPrograms()

/** Requests that each round of restarts must have seen: 50,000 in 20 rounds. */
const REQUESTS_A_ROUND = 2_500

await runToTheEnd(async (lifetime) => {
  const report = new Report()
  lifetime.teardown(hangUp)
  const cluster = await startCluster(lifetime, {
    settings: { TRUST_PROXY: '127.0.0.1', DRAIN_DELAY: '1', LOG_LEVEL: 'silent' }
  })
  const balancer = await startBalancer(cluster.servers.map(({ root }) => Number(new URL(root).port)))
  lifetime.teardown(() => balancer.stop())

  await minuteWith(20_000)
  const storm = await stormPro(cluster, 3_000)
  report.add(
    '3,000 requests at once on the plan pro over three servers',
    storm.tally[200] === 300 && storm.tally[429] === 2_700 && storm.day === 300,
    `${JSON.stringify(storm.tally)}, the day counter says ${storm.day}`
  )

  const revoked = await revokeUnderLoad(cluster)
  report.add(
    'a key revoked while it is used on three servers',
    revoked.served === 0 && revoked.ms <= 1_000,
    `${revoked.before} answers before, ${revoked.served} of those sent after it served, refused everywhere after ${revoked.ms} ms`
  )

  const postgres = await harmPostgres(cluster, 2 * rounds)
  report.add(
    `PostgreSQL killed ${rounds} times and frozen ${rounds} times`,
    postgres.lost === 0 &&
      postgres.twice.length === 0 &&
      postgres.malformed === 0 &&
      Object.keys(tally(postgres.answers)).join() === '201,503' &&
      percentile(postgres.answers, 100) <= 3_000 &&
      Math.max(...postgres.recoveries) <= 2_000,
    postgresText(postgres)
  )

  for (const fault of REDIS_FAULTS) {
    await minuteWith(15_000)
    const redis = await harmRedis(cluster, fault)
    report.add(
      `Redis ${fault}`,
      Object.keys(tally(redis.answers)).every((status) => Number(status) < 500) &&
        redis.most <= 2 * redis.limit &&
        redis.back <= 1_000,
      redisText(redis)
    )
  }

  const rolled = await roll(cluster, balancer, rounds)
  report.add(
    `rolling restart of three servers, ${rounds} times`,
    rolled.failures.length === 0 &&
      rolled.lost === 0 &&
      rolled.twice.length === 0 &&
      rolled.answers.length >= REQUESTS_A_ROUND * rounds,
    rollText(rolled)
  )
  for (const failure of rolled.failures.slice(0, 10)) console.log(`     ${failure}`)
  return report.end()
})
