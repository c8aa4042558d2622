import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { tell } from '../../../scripts/cluster/redis.js'
import { sha256 } from '../../../src/domain/api-keys.js'
import { BAN_GRACE, BAN_LENGTHS, STRIKES, type Ban } from '../../../src/domain/bans.js'
import { steadyClock } from '../../../src/domain/clock.js'
import type { Quota } from '../../../src/domain/plans.js'
import type { Decision, UsageRepository } from '../../../src/domain/usage.js'
import { DAY, MINUTE } from '../../../src/domain/windows.js'
import type { Database } from '../../../src/storage/database/database.js'
import { openSqlite } from '../../../src/storage/database/sqlite/sqlite.js'
import { apiKeyRepository } from '../../../src/storage/repositories/api-keys.js'
import { embeddedUsage } from '../../../src/storage/usage/embedded.js'
import { connectRedis } from '../../../src/storage/usage/redis/connect.js'
import { sharedUsage } from '../../../src/storage/usage/shared.js'
import { openedFile, openedPostgres, sharedRedis } from '../../support/databases.js'
import { isOnPostgres } from '../../support/storage-under-test.js'

const RUNS = Number(process.env.MODEL_RUNS ?? 1_000)
const SHARED_RUNS = Math.ceil(RUNS / 20)

type Step =
  | { kind: 'hit'; times: number }
  | { kind: 'tick'; milliseconds: number }
  | { kind: 'plan'; quota: Quota }
  | { kind: 'step'; milliseconds: number }
  | { kind: 'restart' }
  | { kind: 'unban' }

const quota = fc
  .record({ perMinute: fc.integer({ min: 1, max: 12 }), more: fc.integer({ min: 0, max: 30 }) })
  .map(({ perMinute, more }): Quota => ({ perMinute, perDay: perMinute + more }))
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('hit' as const), times: fc.integer({ min: 1, max: 15 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('tick' as const),
      milliseconds: fc.oneof(
        fc.constantFrom(999, 1_000),
        fc.integer({ min: 0, max: 70_000 }),
        fc.integer({ min: 0, max: 3 * DAY })
      )
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('step' as const),
      milliseconds: fc.integer({ min: -2 * DAY, max: 2 * DAY })
    })
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('plan' as const), quota }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'restart' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'unban' }) }
)

/** The rules of the limits, as short as they can be said. */
class Model {
  minute = { start: 0, used: 0 }
  day = { start: 0, used: 0 }
  strikes = 0
  limitedAt: number | undefined
  ban: Ban | undefined

  hit (quota: Quota, now: number): Pick<Decision, 'verdict' | 'limit' | 'remaining' | 'resetAt'> {
    for (const [window, length] of [
      [this.minute, MINUTE],
      [this.day, DAY]
    ] as const) {
      const start = Math.floor(now / length) * length
      if (window.start === start) continue
      Object.assign(window, { start, used: 0 })
      if (length === MINUTE) this.forgetRefusals()
    }
    const minuteEnd = this.minute.start + MINUTE
    const dayEnd = this.day.start + DAY
    if (this.ban && now < this.ban.until) {
      return { verdict: 'banned', limit: quota.perMinute, remaining: 0, resetAt: this.ban.until }
    }
    const dayLeft = quota.perDay - this.day.used
    const minuteLeft = quota.perMinute - this.minute.used
    if (dayLeft <= 0 || minuteLeft <= 0) {
      this.limitedAt ??= now
      if (now - this.limitedAt >= BAN_GRACE && ++this.strikes % STRIKES === 0) {
        const steps = (this.ban?.level ?? 0) - Math.floor((now - (this.ban?.until ?? now)) / DAY)
        const level = Math.min(5, Math.max(0, steps) + 1)
        this.ban = { level, until: now + BAN_LENGTHS[level - 1]! }
        return { verdict: 'banned', limit: quota.perMinute, remaining: 0, resetAt: this.ban.until }
      }
      return dayLeft <= 0
        ? { verdict: 'limited', limit: quota.perDay, remaining: 0, resetAt: dayEnd }
        : { verdict: 'limited', limit: quota.perMinute, remaining: 0, resetAt: minuteEnd }
    }
    this.minute.used++
    this.day.used++
    return minuteLeft < dayLeft
      ? { verdict: 'admitted', limit: quota.perMinute, remaining: minuteLeft - 1, resetAt: minuteEnd }
      : { verdict: 'admitted', limit: quota.perDay, remaining: dayLeft - 1, resetAt: dayEnd }
  }

  forgetRefusals (): void {
    this.strikes = 0
    this.limitedAt = undefined
  }
}

/** What is under test: requests are charged to all of its servers in turn. */
interface Subject {
  charge: UsageRepository['charge']
  /** Ends the servers and starts others that go on from what was counted; tells whether they know the strikes, too. */
  restart(): Promise<{ strikesKept: boolean }>
}

async function embedded (database: Database): Promise<Subject> {
  let usage = embeddedUsage(database)
  return {
    charge: (key, now) => usage.charge(key, now),
    async restart () {
      await usage.flush()
      usage = embeddedUsage(database)
      return { strikesKept: false }
    }
  }
}

async function shared (database: Database, t: Test): Promise<Subject> {
  const url = await sharedRedis()
  const clock = { time: 0, now: () => clock.time }
  const open = async () =>
    await sharedUsage({
      database,
      redis: await connectRedis(url),
      clock,
      // A machine that is busy with other tests is no Redis that was lost.
      deadline: 30_000,
      onChange: (_, cause) => {
        t.fail('Redis was lost', { cause })
      }
    })
  const servers = [await open(), await open(), await open()]
  t.teardown(() => Promise.all(servers.map((server) => server.close())))
  let turn = 0
  let restarts = 0
  return {
    charge (key, now) {
      clock.time = now
      return servers[++turn % servers.length]!.charge(key, now)
    },
    /**
     * In turn: others replace them one after the other; or all end, and Redis has forgotten everything when others
     * start.
     */
    async restart () {
      const forgets = ++restarts % 2 === 0
      if (forgets) {
        for (const server of servers) await server.close()
        await tell(url, 'FLUSHALL')
      }
      for (const [index, server] of servers.entries()) {
        servers[index] = await open()
        if (!forgets) await server.close()
      }
      return { strikesKept: !forgets }
    }
  }
}

/** Throws when a decision is not the one that is wanted, or when its figures contradict each other. */
function compare ({ verdict, limit, remaining, resetAt, windows }: Decision, wanted: object, now: number): void {
  const figures = JSON.stringify({ verdict, limit, remaining, resetAt })
  if (figures !== JSON.stringify(wanted)) throw new Error(`${figures} instead of ${JSON.stringify(wanted)}`)
  const invariant =
    remaining >= 0 &&
    remaining <= limit &&
    resetAt > now &&
    windows.minute.remaining >= 0 &&
    windows.day!.remaining >= 0 &&
    (verdict !== 'admitted' || remaining === Math.min(windows.minute.remaining, windows.day!.remaining))
  if (!invariant) throw new Error(`the figures contradict each other: ${figures} ${JSON.stringify(windows)}`)
}

async function doesAsTheModel (t: Test, database: Database, subject: Subject, numRuns: number): Promise<void> {
  const apiKeys = apiKeyRepository(database)
  let runs = 0
  let hits = 0
  await fc.assert(
    fc.asyncProperty(quota, fc.array(step, { minLength: 1, maxLength: 25 }), async (first, steps) => {
      const id = `key_${++runs}`
      await apiKeys.create(
        { id, kind: 'test', name: 'model', plan: 'enterprise', quota: first, last4: 'abcd', createdAt: new Date(0) },
        sha256(id)
      )
      const model = new Model()
      let wall = Date.parse('2026-03-04T10:20:17Z')
      let monotonic = 0
      const clock = steadyClock(
        () => wall,
        () => monotonic,
        () => {}
      )
      for (const step of steps) {
        switch (step.kind) {
          case 'tick':
            wall += step.milliseconds
            monotonic += step.milliseconds
            break
          case 'step':
            wall += step.milliseconds
            break
          case 'plan':
            await apiKeys.change(id, { plan: 'enterprise', quota: step.quota })
            break
          case 'unban':
            await apiKeys.change(id, { ban: null })
            model.ban = undefined
            break
          case 'restart':
            if (!(await subject.restart()).strikesKept) model.forgetRefusals()
            break
          case 'hit':
            for (let i = 0; i < step.times; i++) {
              const key = (await apiKeys.find(id))!
              const now = clock.now()
              const decision = await subject.charge(key, now)
              hits++
              compare(decision, model.hit(key.quota, now), now)
            }
        }
      }
    }),
    { numRuns }
  )
  t.comment(`${numRuns} histories, ${hits} requests, 0 differences`)
}

const STEPS = 'hits, time, clock steps, restarts, plans and bans'

if (isOnPostgres(t)) {
  t.test(
    `the counters that three servers share in Redis do as a short model does, in ${SHARED_RUNS} random histories of ${STEPS}`,
    async (t) => {
      const database = await openedPostgres(t)
      await doesAsTheModel(t, database, await shared(database, t), SHARED_RUNS)
    }
  )
} else {
  t.test(`the counters do as a short model does, in ${RUNS} random histories of ${STEPS}`, async (t) => {
    const database = openedFile(t, join(t.testdir(), 'petstore.db'))
    await doesAsTheModel(t, database, await embedded(database), RUNS)
  })
  t.test('a crash never gives a caller more than the limit, and costs it at most one block of 5 %', noMoreAfterCrashes)
}

async function noMoreAfterCrashes (t: Test): Promise<void> {
  const database = openSqlite(join(t.testdir(), 'petstore.db'), { owner: true })
  t.teardown(() => database.close())
  let runs = 0
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 200 }),
      fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 6 }),
      async (perMinute, bursts) => {
        const key = { id: `crash_${++runs}`, quota: { perMinute, perDay: perMinute } }
        const now = Date.parse('2026-03-04T10:20:17Z')
        let admitted = 0
        for (const burst of bursts) {
          const usage = embeddedUsage(database) // the one before is gone without a word, as after kill -9
          const decisions = await Promise.all(Array.from({ length: burst }, () => usage.charge(key, now)))
          admitted += decisions.filter(({ verdict }) => verdict === 'admitted').length
        }
        const usage = embeddedUsage(database)
        while (admitted <= perMinute && (await usage.charge(key, now)).verdict === 'admitted') admitted++
        const block = Math.ceil(perMinute * 0.05)
        if (admitted > perMinute) throw new Error(`${admitted} admitted of ${perMinute}`)
        if (admitted < perMinute - bursts.length * block) {
          throw new Error(`${admitted} admitted of ${perMinute} after ${bursts.length} crashes`)
        }
      }
    ),
    { numRuns: 300 }
  )
}
