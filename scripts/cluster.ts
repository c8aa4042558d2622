#!/usr/bin/env tsx
// A whole cluster on this machine, to try: PostgreSQL, Redis, servers and nginx before them, in temporary folders.
// Ctrl-C ends and removes all.
import { startBalancer } from './cluster/balancer.js'
import { startCluster } from './cluster/cluster.js'
import { readOptions } from './arguments.js'
import { demandPrograms, readCount, runToTheEnd } from './cluster/run.js'

const options = readOptions(
  'Usage: npm run cluster -- [--servers N]\n\nStarts PostgreSQL, Redis, N servers (3) and nginx before them on this machine, prints the address and a key,\nand removes everything on Ctrl-C. Needs npm run build and the programs on this machine (Debian: postgresql, redis-server, nginx).',
  { servers: { type: 'string', default: '3' } }
)
const count = readCount('--servers', options.servers)
demandPrograms()

await runToTheEnd(
  async (lifetime) => {
    const cluster = await startCluster(lifetime, {
      servers: count,
      settings: { TRUST_PROXY: '127.0.0.1', DRAIN_DELAY: '1' }
    })
    const balancer = await startBalancer(cluster.servers.map(({ root }) => Number(new URL(root).port)))
    lifetime.teardown(() => balancer.stop())
    const { secret } = await cluster.makeKey()
    console.log(
      [
        `Petstore API on ${balancer.root}/v1, docs page on ${balancer.root}/docs`,
        '',
        ...cluster.servers.map(({ root, child }) => `  server      ${root}  (process ${child.pid})`),
        `  PostgreSQL  ${cluster.environment.DATABASE_URL}`,
        `  Redis       ${cluster.environment.REDIS_URL}`,
        '',
        'First call:',
        '',
        `  curl -H "Authorization: Bearer ${secret}" ${balancer.root}/v1/pets`,
        '',
        'More keys: npm run keys -- create, with that DATABASE_URL. Ctrl-C ends and removes all of it.',
        ''
      ].join('\n')
    )
    return await new Promise(() => {})
  },
  { interrupted: 0 }
)
