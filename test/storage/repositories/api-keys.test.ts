import t from 'tap'
import { MOST_OVERLAPS, newSecret, sha256, TooManyOverlaps, type ApiKey } from '../../../src/domain/api-keys.js'
import { PLANS } from '../../../src/domain/plans.js'
import { apiKeyRepository } from '../../../src/storage/repositories/api-keys.js'
import { databasesUnderTest } from '../../support/databases.js'

const at = (second: number): Date => new Date(Date.parse('2026-03-04T10:20:00.123Z') + second * 1000)

function keyOf (id: string, more: Partial<ApiKey> = {}): ApiKey {
  return { id, kind: 'live', name: 'Shop', plan: 'free', quota: PLANS.free, last4: 'abcd', createdAt: at(0), ...more }
}

const secretOf = (secret: string) => ({ hash: sha256(secret), last4: secret })
/** A rotation that keeps the overlaps of those before. */
const keeping = { now: at(0), keepOverlaps: true }

for (const [name, open] of databasesUnderTest(t)) {
  t.test(`${name}: a key is found by the hash of its secret, as it was stored`, async (t) => {
    const apiKeys = apiKeyRepository(await open(t))
    const wanted = [
      keyOf('key_1'),
      keyOf('key_2', { plan: 'pro', quota: PLANS.pro, name: "Zoë 🐶 '; --" }),
      keyOf('key_3', { plan: 'business', quota: PLANS.business }),
      keyOf('key_5', { scopes: ['store:write'] }),
      keyOf('key_6', { scopes: ['pets:read', 'store:read'] }),
      keyOf('key_4', { plan: 'enterprise', quota: { perMinute: 1, perDay: 2 ** 31 - 1 } })
    ]
    for (const key of wanted) await apiKeys.create(key, sha256(key.id))
    for (const key of wanted) t.strictSame(await apiKeys.findByHash(sha256(key.id)), key)
    t.equal(await apiKeys.findByHash(sha256(newSecret('live'))), undefined)
    t.equal(await apiKeys.findByHash(''), undefined)
  })

  t.test(`${name}: keys are listed oldest first`, async (t) => {
    const apiKeys = apiKeyRepository(await open(t))
    t.strictSame(await apiKeys.list(), [])
    for (const [id, second] of [
      ['key_c', 2],
      ['key_b', 1],
      ['key_d', 2],
      ['key_a', 3]
    ] as const) {
      await apiKeys.create(keyOf(id, { createdAt: at(second) }), sha256(id))
    }
    t.same(
      (await apiKeys.list()).map(({ id }) => id),
      ['key_b', 'key_c', 'key_d', 'key_a']
    )
  })

  t.test(`${name}: a revoked key is still found, with the date of the first time`, async (t) => {
    const apiKeys = apiKeyRepository(await open(t))
    await apiKeys.create(keyOf('key_1'), sha256('1'))
    await apiKeys.create(keyOf('key_2'), sha256('2'))
    const revoked = keyOf('key_1', { revokedAt: at(5) })
    t.strictSame(await apiKeys.revoke('key_1', at(5)), revoked)
    t.strictSame(await apiKeys.revoke('key_1', at(9)), revoked)
    t.strictSame(await apiKeys.findByHash(sha256('1')), revoked)
    t.strictSame(await apiKeys.list(), [revoked, keyOf('key_2')])
    t.equal(await apiKeys.revoke('key_3', at(5)), undefined)
  })

  t.test(`${name}: neither an id nor a secret can be stored twice`, async (t) => {
    const apiKeys = apiKeyRepository(await open(t))
    await apiKeys.create(keyOf('key_1'), sha256('1'))
    await t.rejects(apiKeys.create(keyOf('key_1'), sha256('2')))
    await t.rejects(apiKeys.create(keyOf('key_2'), sha256('1')))
    t.equal((await apiKeys.list()).length, 1)
  })

  t.test(
    `${name}: a plan whose numbers change in the program has the new ones, with no change to its keys`,
    async (t) => {
      const database = await open(t)
      await apiKeyRepository(database).create(keyOf('key_1', { quota: { perMinute: 1, perDay: 2 } }), sha256('1'))
      t.same((await apiKeyRepository(database).findByHash(sha256('1')))?.quota, PLANS.free)
    }
  )

  t.test(`${name}: a change applies to what it names and leaves the rest`, async (t) => {
    const apiKeys = apiKeyRepository(await open(t))
    const key = keyOf('key_1')
    await apiKeys.create(key, sha256('one'))
    const agreed = { perMinute: 7, perDay: 8 }
    t.strictSame(await apiKeys.change('key_1', { plan: 'enterprise', quota: agreed }), {
      ...key,
      plan: 'enterprise',
      quota: agreed
    })
    t.strictSame(await apiKeys.change('key_1', { plan: 'pro', quota: PLANS.pro }), {
      ...key,
      plan: 'pro',
      quota: PLANS.pro
    })
    t.strictSame(await apiKeys.change('key_1', { expiresAt: at(9) }), {
      ...key,
      plan: 'pro',
      quota: PLANS.pro,
      expiresAt: at(9)
    })
    t.strictSame(await apiKeys.change('key_1', { expiresAt: null }), { ...key, plan: 'pro', quota: PLANS.pro })
    t.strictSame(await apiKeys.change('key_1', { scopes: ['pets:read', 'store:read'] }), {
      ...key,
      plan: 'pro',
      quota: PLANS.pro,
      scopes: ['pets:read', 'store:read']
    })
    t.strictSame((await apiKeys.change('key_1', { expiresAt: at(9) }))!.scopes, ['pets:read', 'store:read'])
    t.strictSame(await apiKeys.change('key_1', { expiresAt: null, scopes: null }), {
      ...key,
      plan: 'pro',
      quota: PLANS.pro
    })
    t.strictSame(await apiKeys.find('key_1'), await apiKeys.findByHash(sha256('one')))
    t.equal(await apiKeys.change('key_2', { expiresAt: null }), undefined)
    t.equal(await apiKeys.find('key_2'), undefined)
  })

  t.test(`${name}: after a rotation the secret before is good until its overlap ends`, async (t) => {
    const apiKeys = apiKeyRepository(await open(t))
    const key = keyOf('key_1', { expiresAt: at(100), scopes: ['pets:read'] })
    await apiKeys.create(key, sha256('one'))
    t.strictSame(await apiKeys.rotate('key_1', secretOf('two'), { ...keeping, goodUntil: at(50) }), {
      ...key,
      last4: 'two'
    })
    t.strictSame(
      (await apiKeys.findByHash(sha256('two')))!.expiresAt,
      at(100),
      'the new one has the date of the key'
    )
    t.strictSame((await apiKeys.findByHash(sha256('one')))!.expiresAt, at(50), 'the old one that of the overlap')
    await apiKeys.rotate('key_1', secretOf('three'), { ...keeping, goodUntil: at(200) })
    t.strictSame((await apiKeys.findByHash(sha256('two')))!.expiresAt, at(100), 'no overlap outlives the key')
    t.equal(await apiKeys.rotate('key_2', secretOf('four'), { ...keeping, goodUntil: at(50) }), undefined)
  })

  t.test(`${name}: every overlap that was promised is kept, and the key of each secret is the same`, async (t) => {
    const apiKeys = apiKeyRepository(await open(t))
    await apiKeys.create(keyOf('key_1'), sha256('one'))
    await apiKeys.create(keyOf('key_2'), sha256('other'))
    await apiKeys.rotate('key_1', secretOf('two'), { ...keeping, goodUntil: at(90) })
    await apiKeys.rotate('key_1', secretOf('three'), { ...keeping, goodUntil: at(50) })
    const rotated = await apiKeys.rotate('key_1', secretOf('four'), { ...keeping, goodUntil: at(0) })
    t.strictSame((await apiKeys.findByHash(sha256('one'))), { ...rotated, expiresAt: at(90) })
    t.strictSame((await apiKeys.findByHash(sha256('two'))), { ...rotated, expiresAt: at(50) })
    t.equal(await apiKeys.findByHash(sha256('three')), undefined, 'it was promised nothing')
    t.strictSame(await apiKeys.findByHash(sha256('four')), rotated)
    t.strictSame([...(await apiKeys.overlaps(at(0)))], [['key_1', [at(50), at(90)]]])
    t.strictSame([...(await apiKeys.overlaps(at(50)))], [['key_1', [at(90)]]])
    t.strictSame([...(await apiKeys.overlaps(at(90)))], [])
    await apiKeys.revoke('key_1', at(5))
    t.strictSame((await apiKeys.findByHash(sha256('one')))!.revokedAt, at(5), 'a revoked key has no good secret')
  })

  t.test(`${name}: one overlap too many is refused, changes nothing and names when the others end`, async (t) => {
    const apiKeys = apiKeyRepository(await open(t))
    await apiKeys.create(keyOf('key_1'), sha256('0'))
    const ends = Array.from({ length: MOST_OVERLAPS }, (_, index) => at(90 - index))
    for (const [index, goodUntil] of ends.entries()) {
      await apiKeys.rotate('key_1', secretOf(String(index + 1)), { ...keeping, goodUntil })
    }
    const refused = await apiKeys
      .rotate('key_1', secretOf('more'), { ...keeping, goodUntil: at(50) })
      .catch((error: unknown) => error)
    t.ok(refused instanceof TooManyOverlaps)
    t.strictSame((refused as TooManyOverlaps).ends, [...ends].reverse())
    t.equal(await apiKeys.findByHash(sha256('more')), undefined)
    t.equal((await apiKeys.findByHash(sha256(String(MOST_OVERLAPS))))!.expiresAt, undefined, 'still the newest')
    t.equal((await apiKeys.find('key_1'))!.last4, String(MOST_OVERLAPS))

    await apiKeys.rotate('key_1', secretOf('soon'), { ...keeping, now: at(86), goodUntil: at(99) })
    t.strictSame((await apiKeys.findByHash(sha256('soon')))!.expiresAt, undefined, 'as soon as one has ended')
    await apiKeys.rotate('key_1', secretOf('only'), { now: at(86), goodUntil: at(99), keepOverlaps: false })
    t.strictSame([...(await apiKeys.overlaps(at(86)))], [['key_1', [at(99)]]], 'the earlier ones can be ended')
    t.equal(await apiKeys.findByHash(sha256('0')), undefined)
  })
}
