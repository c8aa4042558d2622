import t from 'tap'
import { startCluster } from '../../scripts/cluster/cluster.js'
import { scaledLack } from '../support/databases.js'
import { harmRedis, redisText, REDIS_FAULTS } from '../../scripts/cluster/redis-faults.js'
import { hangUp, percentile, send, tally } from '../../scripts/cluster/load.js'
import { PASSWORD } from '../../scripts/cluster/postgres.js'
import { runProgram, startProgram } from '../../scripts/cluster/program.js'
import { startRedis, tell } from '../../scripts/cluster/redis.js'
import { eventually, freePort } from '../../scripts/cluster/server.js'
import { leaveOut } from '../support/user.js'

t.test('Redis', async (t) => {
  if (scaledLack) return leaveOut(t, scaledLack)
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

  await t.test(
    'one that may drop counters is warned about at the start, one that cannot be used is refused, without its password',
    async (t) => {
      const [evicting, guarded, nobody] = await Promise.all([
        startRedis({ settings: ['--maxmemory', '10mb', '--maxmemory-policy', 'allkeys-lru'] }),
        startRedis({ password: 'secret' }),
        freePort()
      ])
      t.teardown(() => Promise.all([evicting.server.remove(), guarded.server.remove()]))
      await tell(guarded.url, 'ACL', 'SETUSER', 'weak', 'on', '>weak', '~*', '+@all', '-@dangerous')
      const refused = (url: string) => runProgram(['serve'], { ...environment, PORT: '0', REDIS_URL: url })
      const hostOf = (port: number) => `127.0.0.1:${port}`
      const [warned, known, ...refusals] = await Promise.all([
        startProgram(t, { ...environment, REDIS_URL: evicting.url }),
        startProgram(t, { ...environment, REDIS_URL: guarded.url }),
        refused(`redis://:${PASSWORD}@${hostOf(nobody)}`),
        refused(`redis://:${PASSWORD}@${hostOf(guarded.server.port)}`),
        refused(`redis://weak:weak@${hostOf(guarded.server.port)}`),
        refused(`${evicting.url}/99`)
      ])
      t.match(warned.stdout(), /"level":40.*maxmemory-policy allkeys-lru.*set it to noeviction/)
      t.match(known.root, 'http')
      t.match(refusals, [
        {
          code: 75,
          stdout: /^$/,
          stderr: new RegExp(
            `^petstore: The Redis ${hostOf(nobody)} cannot be used \\(ECONNREFUSED\\). Start it, or correct REDIS_URL.\n$`
          )
        },
        {
          code: 78,
          stdout: /^$/,
          stderr: new RegExp(
            `^petstore: The Redis ${hostOf(guarded.server.port)} refuses the login. Correct the user or the password in REDIS_URL.\n$`
          )
        },
        {
          code: 78,
          stderr: `The Redis ${hostOf(guarded.server.port)} does not let this user run scripts and INFO. Let it, or correct the user in REDIS_URL.`
        },
        {
          code: 78,
          stderr: `The Redis ${hostOf(evicting.server.port)} has no database of that number. Correct REDIS_URL.`
        }
      ])
    }
  )
})
