import t from 'tap'
import { startCluster } from '../../scripts/cluster/cluster.js'
import { hangUp, percentile, send, tally } from '../../scripts/cluster/load.js'
import { PASSWORD } from '../../scripts/cluster/postgres.js'
import { startProgram } from '../../scripts/cluster/program.js'
import { startRedis, tell } from '../../scripts/cluster/redis.js'
import { harmRedis, redisText, REDIS_FAULTS } from '../../scripts/cluster/redis-faults.js'
import { eventually } from '../../scripts/cluster/server.js'
import { missingScaled } from '../support/databases.js'
import { leaveOut } from '../support/leave-out.js'
import { until } from '../support/until.js'

t.test('Redis', async (t) => {
  if (missingScaled) return leaveOut(t, missingScaled)
  const cluster = await startCluster(t)
  t.teardown(hangUp)
  const { servers, makeKey, environment } = cluster

  for (const fault of REDIS_FAULTS) {
    await t.test(
      `${fault}: every request is answered, nobody gets more than twice the limit, and soon all is exact again`,
      async (t) => {
        const from = servers.map(({ stdout }) => stdout().length)
        const figures = await harmRedis(cluster, fault)
        t.comment(`${fault}: ${redisText(figures)}`)
        t.same(Object.keys(tally(figures.answers)), ['200', '429'], '0 answers of 5xx')
        t.ok(figures.most <= 2 * figures.limit, `at most ${figures.most} admitted`)
        t.same(
          figures.readiness,
          servers.map(() => (fault === 'flushed' ? 'ready' : 'degraded'))
        )
        t.ok(figures.back <= 1_000, 'exact within 1 s of its return')
        t.ok(percentile(figures.answers, 100) <= 3_000)

        const { secret: key } = await makeKey({ plan: 'enterprise', perMinute: 100, perDay: 100 })
        const after = await Promise.all(
          Array.from({ length: 200 }, (_, index) => send(`${servers[index % 3]!.root}/v1/pets?limit=1`, { key }))
        )
        t.same(tally(after), { 200: 100, 429: 100 }, 'exact')

        for (const [index, { stdout }] of servers.entries()) {
          const told = stdout()
            .slice(from[index])
            .split('\n')
            .filter((line) => line.includes('Redis'))
            .map((line) => JSON.parse(line).msg)
          const pairs = told.length / 2
          t.ok(fault === 'flushed' || pairs >= 1, 'told')
          t.same(
            told,
            Array.from({ length: pairs }, () => [
              'Redis cannot be asked: this server counts its share of the limits by itself',
              'Redis is back: all servers count together again'
            ]).flat(),
            'once each, not with each request'
          )
        }
      }
    )
  }

  await t.test('what a key used before it lost everything is still used after a copy was made', async (t) => {
    const { id, secret: key } = await makeKey({ plan: 'enterprise', perMinute: 10, perDay: 10 })
    const admitted = async (root: string) => (await send(`${root}/v1/pets`, { key })).status === 200
    for (let used = 1; used <= 9; used++) t.ok(await admitted(servers[0]!.root))
    await eventually(async () => {
      const { usedToday } = await cluster.run('keys', 'show', id)
      if (usedToday !== 9) throw new Error(`The copy says ${usedToday}.`)
    })
    await tell(cluster.redis.url, 'FLUSHALL')
    t.same([await admitted(servers[1]!.root), await admitted(servers[2]!.root)], [true, false])
  })

  await t.test('the log warns of one that may drop counters; one with a password is used', async (t) => {
    const [evicting, guarded] = await Promise.all([
      startRedis({ settings: ['--maxmemory', '10mb', '--maxmemory-policy', 'allkeys-lru'] }),
      startRedis({ password: PASSWORD })
    ])
    t.teardown(() => Promise.all([evicting.server.remove(), guarded.server.remove()]))
    const [warned, known] = await Promise.all([
      startProgram(t, { ...environment, REDIS_URL: evicting.url }),
      startProgram(t, { ...environment, REDIS_URL: guarded.url })
    ])
    await until(async () => /"level":40.*maxmemory-policy allkeys-lru.*set it to noeviction/.test(warned.stdout()))
    t.match(known.root, 'http')
  })
})
