import t, { type Test } from 'tap'
import { startRedis, tell, type RedisServer } from '../../../scripts/cluster/redis.js'
import { eventually } from '../../../scripts/cluster/server.js'
import { sha256 } from '../../../src/domain/api-keys.js'
import { BAN_GRACE, STRIKES } from '../../../src/domain/bans.js'
import { StorageUnavailable } from '../../../src/domain/errors.js'
import type { MeteredKey } from '../../../src/domain/usage.js'
import { DAY, MINUTE } from '../../../src/domain/windows.js'
import { atomic } from '../../../src/storage/database/atomic.js'
import type { Database, Queries } from '../../../src/storage/database/database.js'
import { apiKeyRepository } from '../../../src/storage/repositories/api-keys.js'
import { LocalUsage } from '../../../src/storage/usage/local.js'
import { connectRedis } from '../../../src/storage/usage/redis/connect.js'
import { RedisCounters } from '../../../src/storage/usage/redis/counters.js'
import { sharedUsage, type SharedUsage } from '../../../src/storage/usage/shared.js'
import { openedPostgres, missingScaled, sharedRedis } from '../../support/databases.js'
import { leaveOut } from '../../support/leave-out.js'
import { startLine } from '../../support/line.js'

const KEY: MeteredKey = { id: 'key_1', quota: { perMinute: 100, perDay: 100 } }

t.test('counters in Redis', async (t) => {
  if (missingScaled) return leaveOut(t, missingScaled)

  await t.test(
    'a key that a server has not seen before has no fresh day while Redis is away, nor when it comes back with nothing',
    async (t) => {
      const { redis, join, clock } = await sharedCounters(t)
      const before = await join()
      t.equal(await admitted(before, 95), 95)
      await before.close()
      const server = await join()
      await redis.server.end('SIGKILL')
      t.equal(await admitted(server, 20), 5, 'the five that were left')
      await redis.server.start()
      await back(server)
      t.match(await server.charge(KEY, clock.now()), { verdict: 'limited' })
      t.equal(await tell(redis.url, 'HGET', 'petstore:usage:{key_1}', 'dayUsed'), '100')
    }
  )

  await t.test(
    'a key that another server went on with has no fresh day in the next time that Redis is away',
    async (t) => {
      const { redis, join } = await sharedCounters(t)
      const server = await join()
      const other = await join()
      t.equal(await admitted(server, 1), 1)
      t.equal(await admitted(other, 94), 94)
      await other.close()
      await redis.server.end('SIGKILL')
      t.ok((await admitted(server, 20)) <= 5, 'of the five that were left')
    }
  )

  await t.test('a Redis that comes back with an old memory gives nobody anything back', async (t) => {
    const { redis, join, clock } = await sharedCounters(t)
    const first = await join()
    t.equal(await admitted(first, 10), 10)
    await tell(redis.url, 'SAVE')
    t.equal(await admitted(first, 50), 50)
    await first.close()
    const server = await join()
    await redis.server.end('SIGKILL')
    await eventually(async () => {
      if (!server.degraded()) throw new Error('It has not seen that Redis is away.')
    })
    clock.time += 2 * MINUTE
    await redis.server.start()
    t.equal(await tell(redis.url, 'HGET', 'petstore:usage:{key_1}', 'dayUsed'), '10', 'the old memory')
    await back(server)
    t.match(await server.charge(KEY, clock.now()), { windows: { day: { remaining: 39 } } })
  })

  await t.test('a replica that takes over with an old memory gives nobody anything back', async (t) => {
    const { redis, database, clock } = await sharedCounters(t)
    const replica = await startRedis({ settings: ['--replicaof', '127.0.0.1', String(redis.server.port)] })
    t.teardown(() => replica.server.remove())
    const address = await startLine(t, redis.url)
    const join = async () =>
      await sharedUsage({ database, redis: await connectRedis(address.url), clock, onChange: () => {} })
    const first = await join()
    t.equal(await admitted(first, 10), 10)
    await eventually(async () => {
      if ((await usedTodayIn(replica)) !== '10') throw new Error('The replica does not know it yet.')
    })
    await tell(replica.url, 'REPLICAOF', 'NO', 'ONE')
    t.equal(await admitted(first, 50), 50)
    await first.close()
    const server = await join()
    t.teardown(() => server.close())
    t.equal(await admitted(server, 1, { ...KEY, id: 'key_2' }), 1)
    address.lead(replica.url)
    address.hangUp()
    await eventually(async () => {
      if (!server.degraded()) throw new Error('It has not seen that Redis is away.')
    })
    await back(server)
    t.equal(await usedTodayIn(replica), '10', 'the old memory')
    t.match(await server.charge(KEY, clock.now()), { windows: { day: { remaining: 39 } } })
  })

  await t.test('a charge makes Redis do nothing but read and write its counters', async (t) => {
    const { redis, join } = await sharedCounters(t)
    const server = await join()
    t.equal(await admitted(server, 1), 1)
    await tell(redis.url, 'CONFIG', 'RESETSTAT')
    t.equal(await admitted(server, 50), 50)
    const said = String(await tell(redis.url, 'INFO', 'commandstats'))
    const calls = new Map([...said.matchAll(/cmdstat_(\w+):calls=(\d+)/g)].map(([, name, calls]) => [name, Number(calls)]))
    t.ok(calls.get('hmget')! >= 50)
    t.ok(calls.get('info')! < 10, 'it is not asked for its run each time')
  })

  await t.test('that the counts cannot be saved is told, and they are saved once that can be', async (t) => {
    const { database, changes, clock, join } = await sharedCounters(t)
    const server = await join()
    t.equal(await admitted(server, 1), 1)
    await database.write('ALTER TABLE usage RENAME TO gone')
    await eventually(async () => {
      if (changes.length === 0) throw new Error('Nothing was told.')
    })
    t.match(changes, ['unsaved: relation "usage" does not exist'])
    await database.write('ALTER TABLE gone RENAME TO usage')
    await eventually(async () => {
      if ((await server.usageOf(clock.now())).get('key_1')?.today !== 1) throw new Error('It is not saved yet.')
    })
  })

  await t.test('what they are told twice counts once, what is more of it than before counts too', async (t) => {
    const redis = await connectRedis(await sharedRedis())
    t.teardown(() => redis.disconnect())
    const now = Date.parse('2026-03-04T10:20:00Z')
    const counters = new RedisCounters(redis, { clock: { now: () => now } })
    const local = new LocalUsage()
    const admit = (times: number) => {
      for (let time = 0; time < times; time++) local.charge(KEY, now, { servers: 1, rank: 0 })
    }
    admit(5)
    await counters.report('key_1', local.reportOf('key_1', now, { admissions: true }))
    const told = local.reportOf('key_1', now, { admissions: true })
    t.match(await counters.report('key_1', told), { used: { minute: 5, day: 5 } })
    admit(2)
    const more = local.reportOf('key_1', now, { admissions: true })
    const said = await counters.report('key_1', more)
    t.match(said, { used: { minute: 7, day: 7 } })
    admit(1)
    local.noteReported('key_1', more, said)
    t.match(
      await counters.report('key_1', local.reportOf('key_1', now, { admissions: true })),
      { used: { minute: 8, day: 8 } },
      'what was admitted while they were told'
    )
  })

  await t.test(
    'a ban that could not be stored is tried again ten strikes later, and one that is in force stays as it is',
    async (t) => {
      const { database, join, clock } = await sharedCounters(t)
      const apiKeys = apiKeyRepository(database)
      await apiKeys.create(
        {
          id: 'key_1',
          kind: 'test',
          name: 'test',
          plan: 'enterprise',
          quota: { perMinute: 1, perDay: 100 },
          last4: 'abcd',
          createdAt: new Date(0)
        },
        sha256('key_1')
      )
      let fails = true
      const failingWrite = ({ write }: Queries): Queries['write'] => async (sql, values) => {
        if (fails && sql.startsWith('UPDATE')) throw new StorageUnavailable('no connection')
        return await write(sql, values)
      }
      const whole = atomic(database)
      const server = await join({
        ...whole,
        write: failingWrite(whole),
        transaction: (work) => whole.transaction((queries) => work({ ...queries, write: failingWrite(queries) }))
      })
      const key = (await apiKeys.find('key_1'))!
      const burst = await Promise.all(Array.from({ length: 50 }, () => server.charge(key, clock.now())))
      t.ok(burst.every(({ verdict }) => verdict !== 'banned'), 'no refusal of the first second counts')
      clock.time += BAN_GRACE
      const answers = await Promise.allSettled(
        Array.from({ length: 4 * STRIKES }, () => server.charge(key, clock.now()))
      )
      t.equal(answers.filter(({ status }) => status === 'rejected').length, 4)
      fails = false
      const decisions = await Promise.all(Array.from({ length: 4 * STRIKES }, () => server.charge(key, clock.now())))
      t.same(decisions.map(({ ban }) => ban?.level).filter(Boolean), [1], 'one, at the first level')
      t.match((await apiKeys.find('key_1'))!.ban, { level: 1 })
    }
  )

  await t.test('that Redis is away is told with its cause before it is told that it is back', async (t) => {
    const { redis, join, changes } = await sharedCounters(t)
    const server = await join()
    for (let round = 0; round < 2; round++) {
      await redis.server.end('SIGKILL')
      await eventually(async () => {
        if (!server.degraded()) throw new Error('It has not seen that Redis is away.')
      })
      await redis.server.start()
      await back(server)
    }
    t.match(changes, [
      /^(Redis closed the connection|ECONNREFUSED|ECONNRESET)/,
      'back',
      /^(Redis closed the connection|ECONNREFUSED|ECONNRESET)/,
      'back'
    ])
  })

  await t.test(
    'one that drops counters while they are in use gives nobody back what the database was told, and fails nobody',
    async (t) => {
      const keys = Array.from({ length: 20 }, (_, index) => ({ ...KEY, id: `key_${index}` }))
      const { redis, join } = await sharedCounters(t, {
        settings: ['--maxmemory', '4mb', '--maxmemory-policy', 'allkeys-lru'],
        // The thousands of commands that are sent at once here take more than a tenth of a second.
        deadline: 2_000
      })
      const first = await join()
      const use = async (server: SharedUsage, times: number) =>
        (await Promise.all(keys.map((key) => admitted(server, times, key)))).reduce((sum, count) => sum + count)
      t.equal(await use(first, 60), 60 * keys.length)
      await first.close()
      const servers = [await join(), await join()]
      const filler = await connectRedis(redis.url)
      const filled = Promise.all(
        Array.from({ length: 1_000 }, (_, index) => filler.set(`other:${index}`, 'x'.repeat(10_000)))
      )
      filled.catch(() => {})
      const more = await Promise.all(servers.map((server) => use(server, 60)))
      await filled
      filler.disconnect()
      const after = more[0]! + more[1]!
      // What one server has just counted, the other does not know of when it tells a Redis that has dropped it.
      t.ok(after >= 40 * keys.length && after <= 2 * 40 * keys.length, `${after} of ${40 * keys.length} that were left`)
      t.ok(Number(/evicted_keys:(\d+)/.exec(String(await tell(redis.url, 'INFO', 'stats')))?.[1]) > 500, 'evicted')
      t.ok(servers.every((server) => !server.degraded()))
    }
  )

  await t.test('goes on with the new primary when the one behind its address has become a replica', async (t) => {
    const { redis, database, clock } = await sharedCounters(t)
    const next = await startRedis()
    t.teardown(() => next.server.remove())
    const address = await startLine(t, redis.url)
    const server = await sharedUsage({ database, redis: await connectRedis(address.url), clock, onChange: () => {} })
    t.teardown(() => server.close())
    t.equal(await admitted(server, 3), 3)
    await tell(redis.url, 'REPLICAOF', '127.0.0.1', String(next.server.port))
    address.lead(next.url)
    await eventually(async () => {
      if (!server.degraded()) throw new Error('It has not seen that this Redis takes no writes.')
    })
    await back(server)
    t.match(await server.charge(KEY, clock.now()), { windows: { day: { remaining: 96 } } })
    t.equal(await tell(next.url, 'HGET', 'petstore:usage:{key_1}', 'dayUsed'), '4')
  })
})

t.test('a server that is told late what Redis said of a key that it has forgotten meanwhile', async (t) => {
  const now = Date.parse('2026-03-04T23:59:59Z')
  const local = new LocalUsage()
  local.charge(KEY, now, { servers: 1, rank: 0 })
  const told = local.reportOf('key_1', now, { admissions: true })
  local.takeUnsaved(now + DAY, { end: false })
  local.noteReported('key_1', told, { at: now + DAY, used: { minute: 0, day: 0 }, strikes: 0 })
  t.same(local.unreportedKeys(), [], 'nothing of the day that is over is left to report')
})

interface Counters {
  database: Database
  redis: RedisServer
  clock: { time: number; now: () => number }
  /** What the servers told of the loss and the return of Redis. */
  changes: string[]
  join(over?: Database): Promise<SharedUsage>
}

/** A database and a Redis of their own for servers that count together, by a clock that the test sets. */
async function sharedCounters (
  t: Test,
  { settings = [], deadline }: { settings?: string[]; deadline?: number } = {}
): Promise<Counters> {
  const database = await openedPostgres(t)
  const redis = await startRedis({ settings })
  t.teardown(() => redis.server.remove())
  const clock = { time: Date.parse('2026-03-04T10:20:00Z'), now: () => clock.time }
  const changes: string[] = []
  const join: Counters['join'] = async (over = database) => {
    const server: SharedUsage = await sharedUsage({
      database: over,
      redis: await connectRedis(redis.url),
      clock,
      deadline,
      onChange: (degraded, cause) => {
        t.equal(server.degraded(), degraded)
        changes.push(cause?.message ?? 'back')
      },
      onUnsaved: (cause) => changes.push(`unsaved: ${cause.message}`)
    })
    t.teardown(() => server.close())
    return server
  }
  return { database, redis, clock, changes, join }
}

/** How many of so many requests are admitted. */
async function admitted (server: SharedUsage, times: number, key = KEY): Promise<number> {
  const decisions = await Promise.all(
    Array.from({ length: times }, () => server.charge(key, Date.parse('2026-03-04T10:20:00Z')))
  )
  return decisions.filter(({ verdict }) => verdict === 'admitted').length
}

async function back (server: SharedUsage): Promise<void> {
  await eventually(async () => {
    if (server.degraded()) throw new Error('It counts by itself.')
  })
}

async function usedTodayIn ({ url }: RedisServer): Promise<unknown> {
  return await tell(url, 'HGET', 'petstore:usage:{key_1}', 'dayUsed')
}
