#!/usr/bin/env tsx
// A whole cluster on this machine, to try: PostgreSQL, Redis, servers and nginx before them, in temporary folders. Ctrl-C ends and removes all.
import { readOptions } from './arguments.js'
import { balancerLack, startBalancer } from '../test/support/balancer.js'
import { startCluster } from '../test/support/cluster.js'
import { postgresLack } from '../test/support/postgres.js'
import { redisLack } from '../test/support/redis.js'

const { servers: count } = readOptions('Usage: npm run cluster -- [--servers N]\n\nStarts PostgreSQL, Redis, N servers (3) and nginx before them on this machine, prints the address and a key,\nand removes everything on Ctrl-C. Needs npm run build and the programs on this machine (Debian: postgresql, redis-server, nginx).', { servers: { type: 'string', default: '3' } })
const lack = postgresLack ?? redisLack ?? balancerLack
if (lack !== undefined || !/^[1-9]\d?$/.test(count)) {
  console.error(lack === undefined ? '--servers must be a whole number from 1 to 99.' : `${lack}. On Debian: apt-get install postgresql redis-server nginx`)
  process.exit(lack === undefined ? 2 : 1)
}

const ends: (() => unknown)[] = []
const stopped = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
})
try {
  const cluster = await startCluster({ teardown: (end) => { ends.unshift(end) } }, { servers: Number(count), settings: { TRUST_PROXY: '127.0.0.1', DRAIN_DELAY: '1' } })
  const balancer = await startBalancer(cluster.servers.map(({ root }) => Number(new URL(root).port)))
  ends.unshift(() => balancer.stop())
  const { secret } = await cluster.makeKey()
  console.log([
    `Petstore API on ${balancer.root}/v1, docs page on ${balancer.root}/docs`, '',
    ...cluster.servers.map(({ root, child }) => `  server      ${root}  (process ${child.pid})`),
    `  PostgreSQL  ${cluster.environment.DATABASE_URL}`,
    `  Redis       ${cluster.environment.REDIS_URL}`, '',
    'First call:', '', `  curl -H "Authorization: Bearer ${secret}" ${balancer.root}/v1/pets`, '',
    'More keys: npm run keys -- create, with that DATABASE_URL. Ctrl-C ends and removes all of it.', ''
  ].join('\n'))
  await stopped
} finally {
  for (const end of ends) await end()
}
process.exit()
