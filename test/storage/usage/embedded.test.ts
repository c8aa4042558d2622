import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { sha256, type ApiKey } from '../../../src/domain/api-keys.js'
import { BAN_GRACE, STRIKES } from '../../../src/domain/bans.js'
import { StorageUnavailable } from '../../../src/domain/errors.js'
import type { Quota } from '../../../src/domain/plans.js'
import { MINUTE } from '../../../src/domain/windows.js'
import { atomic, type AtomicDatabase } from '../../../src/storage/database/atomic.js'
import type { Database, Queries, Value } from '../../../src/storage/database/database.js'
import { apiKeyRepository } from '../../../src/storage/repositories/api-keys.js'
import { keyHistoryRepository } from '../../../src/storage/repositories/key-history.js'
import { embeddedUsage } from '../../../src/storage/usage/embedded.js'
import { readCounts } from '../../../src/storage/usage/table.js'
import { openedFile } from '../../support/databases.js'

const at = (iso: string): number => Date.parse(iso)

t.test('a request that one window refuses is charged to neither', async (t) => {
  const usage = embeddedUsage(openedFile(t, join(t.testdir(), 'petstore.db')))
  const quota = { perMinute: 2, perDay: 5 }
  const charge = (iso: string) => usage.charge({ id: 'key_1', quota }, at(iso))
  const wanted: [iso: string, admitted: boolean, limit: number, remaining: number][] = [
    ['2026-03-04T10:20:00Z', true, 2, 1],
    ['2026-03-04T10:20:01Z', true, 2, 0],
    ['2026-03-04T10:20:02Z', false, 2, 0],
    ['2026-03-04T10:20:59Z', false, 2, 0],
    ['2026-03-04T10:21:00Z', true, 2, 1], // 2 + 1 of the day: the refused ones are not in it
    ['2026-03-04T10:21:01Z', true, 2, 0],
    ['2026-03-04T10:22:00Z', true, 5, 0],
    ['2026-03-04T10:22:01Z', false, 5, 0],
    ['2026-03-04T23:59:59Z', false, 5, 0],
    ['2026-03-05T00:00:00Z', true, 2, 1]
  ]
  for (const [iso, admitted, limit, remaining] of wanted) {
    const { resetAt, verdict, ...decision } = await charge(iso)
    t.match(decision, { limit, remaining }, iso)
    t.equal(verdict, admitted ? 'admitted' : 'limited', iso)
    t.ok(resetAt > at(iso), `${iso} resets later`)
  }
})

t.test(
  'exactly as many requests at once are admitted as the limit says, and keys do not count for each other',
  async (t) => {
    const usage = embeddedUsage(openedFile(t, join(t.testdir(), 'petstore.db')))
    const now = at('2026-03-04T10:20:00Z')
    const decisions = await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        usage.charge({ id: `key_${index % 2}`, quota: { perMinute: 60, perDay: 1_000 } }, now)
      )
    )
    t.equal(decisions.filter(({ verdict }) => verdict === 'admitted').length, 120)
  }
)

t.test('a clean stop keeps the exact counts; without one a key goes on from its lease', async (t) => {
  const database = openedFile(t, join(t.testdir(), 'petstore.db'))
  const key = { id: 'key_1', quota: { perMinute: 100, perDay: 1_000 } }
  const now = at('2026-03-04T10:20:00Z')
  const first = embeddedUsage(database)
  for (let i = 0; i < 3; i++) await first.charge(key, now)
  t.equal(
    (await embeddedUsage(database).charge(key, now)).windows.minute.remaining,
    94,
    'after a crash: a block of 5 and this one'
  )
  await first.flush()
  const { windows } = await embeddedUsage(database).charge(key, now)
  t.same([windows.minute.remaining, windows.day!.remaining], [96, 996], 'after a clean stop: 3 and this one')
})

t.test('of a large limit a crash costs a thousand requests at most', async (t) => {
  const database = openedFile(t, join(t.testdir(), 'petstore.db'))
  const key = { id: 'key_1', quota: { perMinute: 1_000_000, perDay: 1_000_000 } }
  const now = at('2026-03-04T10:20:00Z')
  for (let crash = 1; crash <= 50; crash++) {
    t.equal(
      (await embeddedUsage(database).charge(key, now)).windows.minute.remaining,
      1_000_000 - 1_000 * (crash - 1) - 1
    )
  }
})

t.test('what was used today, and when last, is known per key as far as it is durable', async (t) => {
  const database = openedFile(t, join(t.testdir(), 'petstore.db'))
  const usage = embeddedUsage(database)
  const now = at('2026-03-04T10:20:00Z')
  for (let i = 0; i < 7; i++) await usage.charge({ id: 'key_1', quota: { perMinute: 60, perDay: 1_000 } }, now)
  await usage.flush()
  t.same(await usage.usageOf(now), new Map([['key_1', { today: 7, lastUsedAt: now }]]))
  t.same(await usage.usageOf(at('2026-03-05T00:00:00Z')), new Map([['key_1', { today: 0, lastUsedAt: now }]]))
  const yesterday = await usage.usageOf(at('2026-03-03T10:00:00Z'))
  t.equal(yesterday.get('key_1')?.today, 7, 'after the clock was set back what was used stays used')
})

t.test('the tenth strike in a minute brings a ban, once, durable at once', async (t) => {
  const database = openedFile(t, join(t.testdir(), 'petstore.db'))
  const apiKeys = apiKeyRepository(database)
  const key = await storedKey(database, { perMinute: 1, perDay: 100 })
  const usage = embeddedUsage(database)
  const first = at('2026-03-04T10:20:00Z')
  const burst = await Promise.all(Array.from({ length: 100 }, () => usage.charge(key, first + BAN_GRACE - 1)))
  t.ok(burst.every(({ verdict }, index) => verdict === (index === 0 ? 'admitted' : 'limited')))
  const now = first + 2 * BAN_GRACE - 1
  const decisions = await Promise.all(Array.from({ length: 100 }, () => usage.charge(key, now)))
  t.same(decisions.map(({ ban }, index) => ban && [index, ban]).filter(Boolean), [
    [STRIKES - 1, { level: 1, until: now + MINUTE }]
  ])
  t.same((await apiKeys.find('key_1'))!.ban, { level: 1, until: now + MINUTE })
  const history = await keyHistoryRepository(atomic(database), apiKeys).changesOf('key_1')
  t.equal(history.length, 1, 'and it stands in the history once')
  t.equal(
    (await embeddedUsage(database).charge((await apiKeys.find('key_1'))!, now)).verdict,
    'banned',
    'also after a crash'
  )
})

t.test('a ban that could not be stored is tried again ten strikes later', async (t) => {
  const database = openedFile(t, join(t.testdir(), 'petstore.db'))
  const key = await storedKey(database, { perMinute: 1, perDay: 100 })
  let fails = true
  const usage = embeddedUsage(failing(database, (sql) => fails && sql.startsWith('UPDATE')))
  const now = at('2026-03-04T10:20:00Z')
  for (let i = 0; i < 2; i++) await usage.charge(key, now)
  for (let i = 1; i < STRIKES; i++) await usage.charge(key, now + BAN_GRACE)
  await t.rejects(async () => usage.charge(key, now + BAN_GRACE), StorageUnavailable)
  fails = false
  for (let i = 1; i < STRIKES; i++) t.equal((await usage.charge(key, now + BAN_GRACE)).verdict, 'limited')
  t.match(await usage.charge(key, now + BAN_GRACE), { verdict: 'banned', ban: { level: 1 } })
})

t.test('at the turn of the day calls at the same time are counted once, and so is the ban', async (t) => {
  const database = openedFile(t, join(t.testdir(), 'petstore.db'))
  const usage = embeddedUsage(database)
  const key = await storedKey(database, { perMinute: 60, perDay: 1_000 })
  await usage.charge(key, at('2026-03-04T23:59:30Z'))
  const decisions = []
  for (const now of ['2026-03-05T00:00:00Z', '2026-03-05T00:00:01Z']) {
    decisions.push(...(await Promise.all(Array.from({ length: 200 }, () => usage.charge(key, at(now))))))
  }
  t.equal(decisions.filter(({ verdict }) => verdict === 'admitted').length, 60)
  t.equal(decisions.filter(({ ban }) => ban).length, 1)
})

t.test(
  'after a start with the clock set back nobody has a fresh window at once, and everybody the next one',
  async (t) => {
    const database = openedFile(t, join(t.testdir(), 'petstore.db'))
    const key = { id: 'key_1', quota: { perMinute: 5, perDay: 100 } }
    const before = embeddedUsage(database)
    for (let i = 0; i < 5; i++) await before.charge(key, at('2099-01-01T11:20:10Z'))
    await before.flush()
    const after = embeddedUsage(database)
    const refused = await after.charge(key, at('2026-03-04T10:20:10Z'))
    t.match(refused, { verdict: 'limited', resetAt: at('2026-03-04T10:21:00Z') })
    t.match(
      await after.charge(key, refused.resetAt),
      { verdict: 'admitted', windows: { minute: { remaining: 4 }, day: { remaining: 94 } } },
      'at the Reset it was told'
    )
  }
)

t.test('while nothing can be written half of each limit is admitted, and calls answered with 503 use nothing up', async (t) => {
  const database = openedFile(t, join(t.testdir(), 'petstore.db'))
  let fails = true
  const causes: string[] = []
  const usage = embeddedUsage(
    failing(database, (sql) => fails && sql.startsWith('INSERT')),
    { retry: 0, onUnsaved: ({ message }) => causes.push(message) }
  )
  const key = { id: 'key_1', quota: { perMinute: 60, perDay: 1_000 } }
  const now = at('2026-03-04T10:20:00Z')
  for (let i = 0; i < 30; i++) t.match(await usage.charge(key, now), { verdict: 'admitted', remaining: 59 - i })
  for (let i = 0; i < 45; i++) await t.rejects(async () => usage.charge(key, now), StorageUnavailable)
  t.same(causes, ['no room'], 'told once')
  fails = false
  t.match(await usage.charge(key, now), { verdict: 'admitted', remaining: 29 })
  t.match((await embeddedUsage(database).charge(key, now)).windows.day, { remaining: 1_000 - 80 - 1 }, 'all of it durable')
})

t.test('the grace is that of what was durable, for each window, and never above the limit', async (t) => {
  const database = openedFile(t, join(t.testdir(), 'petstore.db'))
  let fails = false
  const usage = embeddedUsage(failing(database, (sql) => fails && sql.startsWith('INSERT')))
  const key = { id: 'key_1', quota: { perMinute: 20, perDay: 40 } }
  const admittedOf = async (times: number, iso: string) => {
    const outcomes = await Promise.allSettled(Array.from({ length: times }, async () => usage.charge(key, at(iso))))
    return outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value.verdict === 'admitted').length
  }
  t.equal(await admittedOf(15, '2026-03-04T10:20:00Z'), 15)
  fails = true
  t.equal(await admittedOf(30, '2026-03-04T10:20:00Z'), 5, 'the rest of the minute')
  t.equal(await admittedOf(30, '2026-03-04T10:21:00Z'), 10, 'half of a minute')
  t.equal(await admittedOf(30, '2026-03-04T10:22:00Z'), 6, 'half of the day is spent')
  t.equal(await admittedOf(30, '2026-03-04T10:23:00Z'), 0)
})

t.test('a request does not wait long for a write that takes its time, and later ones do not wait', async (t) => {
  const database = openedFile(t, join(t.testdir(), 'petstore.db'))
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const usage = embeddedUsage({
    ...atomic(database),
    write: async (sql, values) => {
      await released
      return await database.write(sql, values)
    }
  })
  const key = { id: 'key_1', quota: { perMinute: 60, perDay: 1_000 } }
  const now = at('2026-03-04T10:20:00Z')
  for (let i = 0; i < 30; i++) t.match(await usage.charge(key, now), { verdict: 'admitted', remaining: 59 - i })
  release()
  await sleep(100)
  await usage.flush()
  t.match((await embeddedUsage(database).charge(key, now)).remaining, 29)
})

t.test('whatever fails and however slowly, no more than the grace is admitted beyond what is durable', async (t) => {
  const database = openedFile(t, join(t.testdir(), 'petstore.db'))
  const now = at('2026-03-04T10:20:00Z')
  let durable = 0
  for (let run = 0; run < 200; run++) {
    const key = { id: `key_${run}`, quota: { perMinute: 40, perDay: 40 } }
    durable = 0
    let failed = false
    const usage = embeddedUsage(
      {
        ...atomic(database),
        write: async (sql, values = []) => {
          if (!sql.startsWith('INSERT')) return await database.write(sql, values)
          await sleep(Math.random() * 2)
          if (Math.random() < (run % 2) * 0.4) {
            failed = true
            throw new StorageUnavailable('no room')
          }
          durable = Number(values[3])
          return []
        }
      },
      { retry: 0 }
    )
    let admitted = 0
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        await sleep(index % 7)
        const decision = await Promise.resolve(usage.charge(key, now)).catch(() => undefined)
        if (decision?.verdict === 'admitted') admitted++
        if (admitted > durable + (failed ? 20 : 0)) t.fail(`run ${run}: ${admitted} admitted, ${durable} durable`)
      })
    )
    if (admitted > 40) t.fail(`run ${run}: ${admitted} admitted of 40`)
  }
})

t.test('a clean stop keeps the counts of all keys that it can', async (t) => {
  const database = openedFile(t, join(t.testdir(), 'petstore.db'))
  let refused = ''
  const usage = embeddedUsage(failing(database, (sql, values) => sql.startsWith('INSERT') && values[0] === refused))
  const now = at('2026-03-04T10:20:00Z')
  for (const id of ['key_1', 'key_2', 'key_3']) {
    await usage.charge({ id, quota: { perMinute: 100, perDay: 1_000 } }, now)
  }
  refused = 'key_2'
  await t.rejects(usage.flush(), StorageUnavailable)
  const counts = await readCounts(database, ['key_1', 'key_2', 'key_3'], now)
  t.same(
    [...counts].map(([id, { day }]) => [id, day.used]),
    [
      ['key_1', 1],
      ['key_2', 50],
      ['key_3', 1]
    ],
    'from which the limits go on'
  )
  t.same(
    [...(await usage.usageOf(now))].map(([id, { today }]) => [id, today]),
    [
      ['key_1', 1],
      ['key_2', 1],
      ['key_3', 1]
    ],
    'which were admitted'
  )
})

t.test('what was admitted today is told exactly once it is saved, and a crash forgets no lease', async (t) => {
  const database = openedFile(t, join(t.testdir(), 'petstore.db'))
  const usage = embeddedUsage(atomic(database))
  const now = at('2026-03-04T10:20:00Z')
  const charge = async (id: string, times: number) => {
    for (let time = 0; time < times; time++) {
      await usage.charge({ id, quota: { perMinute: 1_000_000, perDay: 1_000_000 } }, now)
    }
  }
  const told = async () => [...(await usage.usageOf(now))].map(([id, { today }]) => [id, today])
  await charge('key_1', 3)
  await charge('key_2', 1_234)
  t.same(await told(), [['key_1', 1], ['key_2', 1_001]])
  await usage.saveAdmitted()
  t.same(await told(), [['key_1', 3], ['key_2', 1_234]])
  const counts = await readCounts(database, ['key_1', 'key_2'], now)
  t.same([...counts.values()].map(({ day }) => day.used), [1_000, 2_000], 'the limits go on behind the lease')

  const restarted = embeddedUsage(atomic(database))
  await restarted.charge({ id: 'key_1', quota: { perMinute: 1_000_000, perDay: 1_000_000 } }, now)
  await restarted.saveAdmitted()
  t.same(await told(), [['key_1', 1_001], ['key_2', 1_234]], 'after a crash the limits count the lease as used')
})

/** The database, but for statements that it has no room for. */
function failing (database: Database, fails: (sql: string, values: readonly Value[]) => boolean): AtomicDatabase {
  const failingWrite = ({ write }: Queries): Queries['write'] => async (sql, values = []) => {
    if (fails(sql, values)) throw new StorageUnavailable('no room')
    return await write(sql, values)
  }
  const whole = atomic(database)
  return {
    ...whole,
    write: failingWrite(whole),
    transaction: (work) => whole.transaction((queries) => work({ ...queries, write: failingWrite(queries) }))
  }
}

async function storedKey (database: Database, quota: Quota): Promise<ApiKey> {
  const apiKeys = apiKeyRepository(database)
  await apiKeys.create(
    { id: 'key_1', kind: 'test', name: 'test', plan: 'enterprise', quota, last4: 'abcd', createdAt: new Date(0) },
    sha256('hash')
  )
  return (await apiKeys.find('key_1'))!
}
