import t, { type Test } from 'tap'
import { KEPT_FOR, type KeptAnswer, type NamedRequest } from '../../../src/domain/idempotency.js'
import { atomic } from '../../../src/storage/database/atomic.js'
import { idempotencyRepository } from '../../../src/storage/repositories/idempotency.js'
import { petRepository } from '../../../src/storage/repositories/pets.js'
import { databasesUnderTest } from '../../support/databases.js'

const NOW = Date.parse('2026-03-04T10:20:00Z')
const named = (key: string, more: Partial<NamedRequest> = {}): NamedRequest => ({
  caller: 'key_1',
  key,
  fingerprint: 'one',
  ...more
})
const answer: KeptAnswer = {
  status: 201,
  headers: { 'Content-Type': 'application/json', Location: '/pets/1' },
  body: '{"name":"Größe 🐕 \\u0000"}'
}

for (const [name, open] of databasesUnderTest(t)) {
  const setUp = async (t: Test) => {
    const database = atomic(await open(t))
    const pets = petRepository(database)
    return {
      database,
      idempotency: idempotencyRepository(database),
      create: async () => {
        await pets.create({ name: 'Rex', categoryId: 1 })
        return answer
      },
      countOf: async (table: 'pets' | 'idempotency_keys') =>
        (await database.read(`SELECT count(*) AS count FROM ${table}`))[0]!.count
    }
  }

  t.test(`${name}: work is done once, and its answer kept as it was`, async (t) => {
    const { idempotency, create, countOf } = await setUp(t)
    t.equal(await idempotency.find(named('a'), NOW), undefined)
    t.strictSame(await idempotency.once(named('a'), NOW, create), { answer, fingerprint: 'one', replayed: false })
    const kept = { answer, fingerprint: 'one', replayed: true }
    t.strictSame(await idempotency.find(named('a'), NOW), kept)
    t.strictSame(
      await idempotency.once(named('a', { fingerprint: 'two' }), NOW, create),
      kept,
      'another request is told whose it is'
    )
    t.equal(await countOf('pets'), 1)

    const empty = { status: 204, headers: {}, body: undefined }
    await idempotency.once(named('b'), NOW, async () => empty)
    t.strictSame((await idempotency.find(named('b'), NOW))!.answer, empty)
  })

  t.test(`${name}: the keys of one caller are nothing to another`, async (t) => {
    const { idempotency, create, countOf } = await setUp(t)
    for (const caller of ['key_1', 'key_2', '127.0.0.1']) {
      t.equal((await idempotency.once(named('a', { caller }), NOW, create)).replayed, false)
    }
    t.equal(await countOf('pets'), 3)
  })

  t.test(`${name}: when the work fails, nothing is kept and nothing is written`, async (t) => {
    const { idempotency, create, countOf } = await setUp(t)
    await t.rejects(
      idempotency.once(named('a'), NOW, async () => {
        await create()
        throw new Error('no')
      }),
      new Error('no')
    )
    t.equal(await idempotency.find(named('a'), NOW), undefined)
    t.same([await countOf('pets'), await countOf('idempotency_keys')], [0, 0])
    t.equal((await idempotency.once(named('a', { fingerprint: 'two' }), NOW, create)).replayed, false)
  })

  t.test(`${name}: of many at the same time one does the work, and all have its answer`, async (t) => {
    const { idempotency, create, countOf } = await setUp(t)
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => idempotency.once(named('a'), NOW, create)))
    t.equal(outcomes.filter(({ replayed }) => !replayed).length, 1)
    for (const outcome of outcomes) t.strictSame(outcome.answer, answer)
    t.equal(await countOf('pets'), 1)
  })

  t.test(`${name}: an answer is kept for 24 hours, then its key is free`, async (t) => {
    const { idempotency, create, countOf } = await setUp(t)
    await idempotency.once(named('a'), NOW, create)
    t.ok(await idempotency.find(named('a'), NOW + KEPT_FOR - 1))
    t.equal(await idempotency.find(named('a'), NOW + KEPT_FOR), undefined)
    t.equal((await idempotency.once(named('a', { fingerprint: 'two' }), NOW + KEPT_FOR, create)).replayed, false)
    t.match(await idempotency.find(named('a'), NOW + 2 * KEPT_FOR - 1), { fingerprint: 'two' })
    t.equal(await countOf('pets'), 2)
  })

  t.test(
    `${name}: expired answers are deleted with later requests, 200 at a time, once a minute while there are fewer`,
    async (t) => {
      const { database, idempotency, countOf } = await setUp(t)
      const work = async () => answer
      const keep = (key: string, now: number) => idempotency.once(named(key), now, work)
      await database.transaction(async ({ write }) => {
        for (let index = 0; index < 450; index++) {
          await write("INSERT INTO idempotency_keys VALUES ('key_0', $1, 'x', $2, 201, '{}', '')", [
            `old ${index}`,
            NOW + (index % 2)
          ])
        }
      })
      const later = NOW + KEPT_FOR + 1
      const counts = []
      for (let index = 0; index < 4; index++) {
        await keep(`new ${index}`, later)
        counts.push(await countOf('idempotency_keys'))
      }
      t.same(counts, [251, 52, 3, 4])

      await database.write("INSERT INTO idempotency_keys VALUES ('key_0', 'old', 'x', $1, 201, '{}', '')", [NOW])
      await keep('within the minute', later + 59_999)
      t.equal(await countOf('idempotency_keys'), 6)
      await keep('after it', later + 60_000)
      t.equal(await countOf('idempotency_keys'), 6)
      for (const key of ['new 0', 'within the minute']) {
        t.ok(await idempotency.find(named(key), later + 60_000), 'what is not old stays')
      }
    }
  )
}
