import { join } from 'node:path'
import t from 'tap'
import { STRIKES } from '../../src/domain/bans.js'
import { MINUTE } from '../../src/domain/usage.js'
import { apiKeyRepository } from '../../src/storage/api-keys.js'
import { embeddedUsage } from '../../src/storage/usage.js'
import { openedFile } from '../support/databases.js'

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

t.test('exactly as many requests at once are admitted as the limit says, and keys do not count for each other', async (t) => {
  const usage = embeddedUsage(openedFile(t, join(t.testdir(), 'petstore.db')))
  const now = at('2026-03-04T10:20:00Z')
  const decisions = await Promise.all(Array.from({ length: 500 }, (_, index) => usage.charge({ id: `key_${index % 2}`, quota: { perMinute: 60, perDay: 1_000 } }, now)))
  t.equal(decisions.filter(({ verdict }) => verdict === 'admitted').length, 120)
})

t.test('a clean stop keeps the exact counts; without one a key goes on from its lease', async (t) => {
  const database = openedFile(t, join(t.testdir(), 'petstore.db'))
  const key = { id: 'key_1', quota: { perMinute: 100, perDay: 1_000 } }
  const now = at('2026-03-04T10:20:00Z')
  const first = embeddedUsage(database)
  for (let i = 0; i < 3; i++) await first.charge(key, now)
  t.equal((await embeddedUsage(database).charge(key, now)).windows.minute.remaining, 94, 'after a crash: a block of 5 and this one')
  await first.flush()
  const { windows } = await embeddedUsage(database).charge(key, now)
  t.same([windows.minute.remaining, windows.day!.remaining], [96, 996], 'after a clean stop: 3 and this one')
})

t.test('what was used today is known per key, as far as it is durable', async (t) => {
  const database = openedFile(t, join(t.testdir(), 'petstore.db'))
  const usage = embeddedUsage(database)
  const now = at('2026-03-04T10:20:00Z')
  for (let i = 0; i < 7; i++) await usage.charge({ id: 'key_1', quota: { perMinute: 60, perDay: 1_000 } }, now)
  await usage.flush()
  t.same(await usage.usedToday(now), new Map([['key_1', 7]]))
  t.same(await usage.usedToday(at('2026-03-05T00:00:00Z')), new Map())
})

t.test('the tenth refusal in a minute brings a ban, once, durable at once', async (t) => {
  const database = openedFile(t, join(t.testdir(), 'petstore.db'))
  const apiKeys = apiKeyRepository(database)
  const quota = { perMinute: 1, perDay: 100 }
  await apiKeys.create({ id: 'key_1', kind: 'test', name: 'test', plan: 'enterprise', quota, last4: 'abcd', createdAt: new Date(0) }, Buffer.from('hash'))
  const usage = embeddedUsage(database)
  const now = at('2026-03-04T10:20:00Z')
  const key = (await apiKeys.find('key_1'))!
  const decisions = await Promise.all(Array.from({ length: 100 }, () => usage.charge(key, now)))
  t.same(decisions.map(({ ban }, index) => ban && [index, ban]).filter(Boolean), [[STRIKES, { level: 1, until: now + MINUTE }]])
  t.same((await apiKeys.find('key_1'))!.ban, { level: 1, until: now + MINUTE })
  t.equal((await embeddedUsage(database).charge((await apiKeys.find('key_1'))!, now)).verdict, 'banned', 'also after a crash')
})
