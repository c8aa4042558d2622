#!/usr/bin/env tsx
// What is promised of a cluster, counted under load on this machine: its limits and its keys, PostgreSQL killed and
// frozen, Redis away, servers restarted.
import { stormPro, revokeUnderLoad } from './cluster/agreement.js'
import { startBalancer, type Balancer } from './cluster/balancer.js'
import { minuteWith, startCluster, type Cluster } from './cluster/cluster.js'
import { hangUp, percentile, tally } from './cluster/load.js'
import { harmPostgres, postgresText } from './cluster/postgres-faults.js'
import { harmRedis, redisText, REDIS_FAULTS } from './cluster/redis-faults.js'
import { requirePrograms } from './cluster/required-programs.js'
import { restartInTurn, restartText } from './cluster/rolling-restart.js'
import { readCount, readOptions } from './command/arguments.js'
import { showProgress } from './command/progress.js'
import { Report } from './command/report.js'
import { runToTheEnd } from './command/run.js'

const options = readOptions(
  `Usage: npm run faults [-- --rounds N]

Starts three servers behind nginx, and counts under load on this machine what they let through while PostgreSQL is
killed and frozen, Redis is taken away in every way, and the servers are restarted. Prints a line of figures for each
and 'N passed, N failed'. Takes about ten minutes. Needs PostgreSQL, Redis and nginx.

  --rounds N  how often PostgreSQL is killed, and frozen, and each server restarted (20)`,
  { rounds: { type: 'string', default: '20' } }
)
const rounds = readCount('--rounds', options.rounds)
requirePrograms()

/** Requests that each round of restarts must have seen: 50,000 in 20 rounds. */
const REQUESTS_A_ROUND = 2_500

await runToTheEnd(async (lifetime) => {
  const report = new Report()
  lifetime.teardown(hangUp)
  const cluster = await startCluster(lifetime, {
    settings: { TRUST_PROXY: '127.0.0.1', DRAIN_DELAY: '1', LOG_LEVEL: 'silent' },
    progress: showProgress
  })
  const balancer = await startBalancer(cluster.servers.map(({ root }) => Number(new URL(root).port)))
  lifetime.teardown(() => balancer.stop())

  await tryAgreement(report, cluster)
  await tryPostgres(report, cluster)
  await tryRedis(report, cluster)
  await tryRestarts(report, cluster, balancer)
  return report.end()
})

async function tryAgreement (report: Report, cluster: Cluster): Promise<void> {
  await minuteWith(20_000, showProgress)
  showProgress('Sends 3,000 requests at once …')
  const storm = await stormPro(cluster, 3_000)
  report.add(
    '3,000 requests at once on the plan pro over three servers',
    storm.tally[200] === 300 && storm.tally[429] === 2_700 && storm.day === 300,
    `${JSON.stringify(storm.tally)}, the day counter says ${storm.day}`
  )

  showProgress('Revokes a key …')
  const { before, served, ms } = await revokeUnderLoad(cluster)
  report.add(
    'a key revoked while it is used on three servers',
    served === 0 && ms <= 1_000,
    `${before} answers before, ${served} of those sent after it served, refused everywhere after ${ms} ms`
  )
}

async function tryPostgres (report: Report, cluster: Cluster): Promise<void> {
  const figures = await harmPostgres(cluster, 2 * rounds, showProgress)
  const { answers, lost, twice, malformed, recoveries } = figures
  report.add(
    `PostgreSQL killed ${rounds} times and frozen ${rounds} times`,
    lost === 0 &&
      twice.length === 0 &&
      malformed === 0 &&
      Object.keys(tally(answers)).join() === '201,503' &&
      percentile(answers, 100) <= 3_000 &&
      Math.max(...recoveries) <= 2_000,
    postgresText(figures)
  )
}

async function tryRedis (report: Report, cluster: Cluster): Promise<void> {
  for (const fault of REDIS_FAULTS) {
    await minuteWith(15_000, showProgress)
    showProgress(`Redis ${fault} …`)
    const figures = await harmRedis(cluster, fault)
    report.add(
      `Redis ${fault}`,
      Object.keys(tally(figures.answers)).every((status) => Number(status) < 500) &&
        figures.most <= 2 * figures.limit &&
        figures.back <= 1_000,
      redisText(figures)
    )
  }
}

async function tryRestarts (report: Report, cluster: Cluster, balancer: Balancer): Promise<void> {
  const figures = await restartInTurn(cluster, balancer, rounds, showProgress)
  const { failures, lost, twice, answers } = figures
  report.add(
    `rolling restart of three servers, ${rounds} times`,
    failures.length === 0 && lost === 0 && twice.length === 0 && answers.length >= REQUESTS_A_ROUND * rounds,
    restartText(figures),
    failures.slice(0, 10)
  )
}
