#!/usr/bin/env tsx
// What the faults of a cluster cost: PostgreSQL killed and frozen, Redis away, servers restarted, all under load on this machine.
// Prints a line of figures for each and 'N passed, N failed'; takes about ten minutes.
import { readOptions } from './arguments.js'
import { startBalancer } from '../test/support/balancer.js'
import { minuteWith, startCluster } from '../test/support/cluster.js'
import { harmPostgres, harmRedis, postgresText, redisText, REDIS_FAULTS, roll, rollText } from '../test/support/faults.js'
import { hangUp, percentile, tally } from '../test/support/load.js'

const { rounds } = readOptions('Usage: npm run faults -- [--rounds N]\n\nKills and freezes PostgreSQL N times each (20), takes Redis away in every way, and restarts three servers N times behind nginx,\nunder load on this machine. Takes about ten minutes. Needs npm run build, PostgreSQL, Redis and nginx.', { rounds: { type: 'string', default: '20' } })

let passed = 0
let failed = 0

function report (name: string, holds: boolean, figures: string): void {
  holds ? passed++ : failed++
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${name}: ${figures}`)
}

const ends: (() => unknown)[] = []
try {
  const cluster = await startCluster({ teardown: (end) => { ends.unshift(end) } }, { settings: { TRUST_PROXY: '127.0.0.1', DRAIN_DELAY: '1', LOG_LEVEL: 'silent' } })
  const balancer = await startBalancer(cluster.servers.map(({ root }) => Number(new URL(root).port)))
  ends.unshift(() => balancer.stop())

  const postgres = await harmPostgres(cluster, 2 * Number(rounds))
  report(`PostgreSQL killed ${rounds} times and frozen ${rounds} times`,
    postgres.lost === 0 && postgres.malformed === 0 && Object.keys(tally(postgres.answers)).join() === '201,503' && percentile(postgres.answers, 100) <= 3_000 && Math.max(...postgres.recoveries) <= 2_000,
    postgresText(postgres))

  for (const fault of REDIS_FAULTS) {
    await minuteWith(15_000)
    const redis = await harmRedis(cluster, fault)
    report(`Redis ${fault}`, Object.keys(tally(redis.answers)).every((status) => Number(status) < 500) && redis.most <= 2 * redis.limit && redis.back <= 1_000, redisText(redis))
  }

  const rolled = await roll(cluster, balancer, Number(rounds))
  report(`rolling restart of three servers, ${rounds} times`, rolled.failures.length === 0 && rolled.lost === 0, rollText(rolled))
  for (const failure of rolled.failures.slice(0, 10)) console.log(`     ${failure}`)
} finally {
  hangUp()
  for (const end of ends) await end()
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
