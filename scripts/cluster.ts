#!/usr/bin/env tsx
// A whole cluster on this machine, to try: PostgreSQL, Redis, servers and nginx before them, in temporary folders.
import { startBalancer } from './cluster/balancer.js'
import { startCluster } from './cluster/cluster.js'
import { requirePrograms } from './cluster/required-programs.js'
import { readCount, readOptions } from './command/arguments.js'
import { clearProgress, showProgress } from './command/progress.js'
import { runToTheEnd } from './command/run.js'

const options = readOptions(
  `Usage: npm run cluster [-- --servers N]

Starts PostgreSQL, Redis, servers and nginx before them on this machine, prints the address and a key, and removes
everything on Ctrl-C. Needs the programs on this machine (Debian: postgresql, redis-server, nginx).

  --servers N  how many servers (3)`,
  { servers: { type: 'string', default: '3' } }
)
const count = readCount('--servers', options.servers)
requirePrograms()

await runToTheEnd(
  async (lifetime) => {
    const cluster = await startCluster(lifetime, {
      servers: count,
      settings: { TRUST_PROXY: '127.0.0.1', DRAIN_DELAY: '1' },
      progress: showProgress
    })
    showProgress('Starts nginx …')
    const balancer = await startBalancer(cluster.servers.map(({ root }) => Number(new URL(root).port)))
    lifetime.teardown(() => balancer.stop())
    const { secret } = await cluster.makeKey()
    clearProgress()
    console.log(`Petstore API on ${balancer.root}/v1, docs page on ${balancer.root}/docs

${cluster.servers.map(({ root, child }) => `  server      ${root}  (process ${child.pid})`).join('\n')}
  PostgreSQL  ${cluster.environment.DATABASE_URL}
  Redis       ${cluster.environment.REDIS_URL}

First call:

  curl -H "Authorization: Bearer ${secret}" ${balancer.root}/v1/pets

More keys:

  DATABASE_URL=${cluster.environment.DATABASE_URL} npm run keys -- create

Ctrl-C ends and removes all of it.
`)
    return await new Promise(() => {})
  },
  { interrupted: 0 }
)
