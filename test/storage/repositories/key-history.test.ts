import t from 'tap'
import { sha256, type ApiKey } from '../../../src/domain/api-keys.js'
import { PLANS } from '../../../src/domain/plans.js'
import { atomic } from '../../../src/storage/database/atomic.js'
import { apiKeyRepository } from '../../../src/storage/repositories/api-keys.js'
import { keyHistoryRepository } from '../../../src/storage/repositories/key-history.js'
import { TestClock } from '../../support/clock.js'
import { databasesUnderTest } from '../../support/databases.js'

const at = (second: number) => new Date(Date.parse('2026-03-04T10:20:00Z') + second * 1_000)
const KEY: ApiKey = {
  id: 'key_1',
  kind: 'live',
  name: 'Shop',
  plan: 'free',
  quota: PLANS.free,
  last4: 'abcd',
  createdAt: at(0)
}

for (const [name, open] of databasesUnderTest(t)) {
  t.test(`${name}: every change of a key is kept: when, what from and to, by whom`, async (t) => {
    const database = atomic(await open(t))
    const plain = apiKeyRepository(database)
    const history = keyHistoryRepository(database, plain)
    const clock = new TestClock()
    const keys = history.recordedBy('Ada', clock)
    await keys.create(KEY, sha256('one'))
    clock.advance(1_000)
    await keys.change('key_1', { plan: 'pro', quota: PLANS.pro })
    await keys.change('key_1', { plan: 'pro', quota: PLANS.pro }) // changes nothing, so it is not kept
    await history.recordedBy('Grace', clock).change('key_1', { name: 'Café' })
    await keys.change('key_1', { scopes: ['pets:read'] })
    await keys.change('key_1', { expiresAt: at(99) })
    await database.write("UPDATE api_keys SET ban_level = 1, banned_until = 5000 WHERE id = 'key_1'")
    await keys.change('key_1', { ban: null })
    const secret = { hash: sha256('two'), last4: 'efgh' }
    await keys.rotate('key_1', secret, { now: at(2), goodUntil: at(50), keepOverlaps: false })
    await keys.revoke('key_1', at(7))
    await keys.revoke('key_1', at(8)) // it keeps its first date, so nothing changes

    const changes = await history.changesOf('key_1')
    t.same(
      changes.map(({ at, by, action, from, to }) => [at.toISOString().slice(17, 19), by, action, from, to]),
      [
        [
          '00',
          'Ada',
          'create',
          {},
          {
            name: 'Shop',
            plan: 'free',
            perMinute: 60,
            perDay: 1000,
            scopes: ['all'],
            last4: 'abcd',
            expires: null,
            revoked: null,
            bannedUntil: null
          }
        ],
        [
          '01',
          'Ada',
          'plan',
          { plan: 'free', perMinute: 60, perDay: 1000 },
          { plan: 'pro', perMinute: 300, perDay: 10000 }
        ],
        ['01', 'Grace', 'rename', { name: 'Shop' }, { name: 'Café' }],
        ['01', 'Ada', 'scopes', { scopes: ['all'] }, { scopes: ['pets:read'] }],
        ['01', 'Ada', 'expire', { expires: null }, { expires: at(99).toISOString() }],
        ['01', 'Ada', 'unban', { bannedUntil: '1970-01-01T00:00:05.000Z' }, { bannedUntil: null }],
        [
          '01',
          'Ada',
          'rotate',
          { last4: 'abcd' },
          { last4: 'efgh', previousSecretUntil: at(50).toISOString(), earlierSecrets: 'ended' }
        ],
        ['01', 'Ada', 'revoke', { revoked: null }, { revoked: at(7).toISOString() }]
      ]
    )
    t.equal(await keys.change('key_2', { name: 'nobody' }), undefined)
    t.equal(await keys.revoke('key_2', at(1)), undefined)
    t.same(await history.changesOf('key_2'), [])
  })

  t.test(`${name}: a change that cannot be kept is not made, and one that is not made is not kept`, async (t) => {
    const database = atomic(await open(t))
    const plain = apiKeyRepository(database)
    const history = keyHistoryRepository(database, plain)
    const keys = history.recordedBy('Ada', new TestClock())
    await keys.create(KEY, sha256('one'))
    await t.rejects(keys.create({ ...KEY, id: 'key_2' }, sha256('one')), 'the same secret')
    t.same(await history.changesOf('key_2'), [])
    await database.write('ALTER TABLE key_changes RENAME TO gone')
    await t.rejects(keys.change('key_1', { name: 'other' }))
    t.match(await plain.find('key_1'), { name: 'Shop' })
  })

  t.test(`${name}: changes at the same time are kept one after the other, each from what the one before left`, async (t) => {
    const database = atomic(await open(t))
    const history = keyHistoryRepository(database, apiKeyRepository(database))
    const keys = history.recordedBy('Ada', new TestClock())
    await keys.create(KEY, sha256('one'))
    await Promise.all(Array.from({ length: 20 }, (_, index) => keys.change('key_1', { name: `name ${index}` })))
    const [, ...renames] = await history.changesOf('key_1')
    t.equal(renames.length, 20)
    let before: unknown = 'Shop'
    for (const { from, to } of renames) {
      t.equal(from.name, before)
      before = to.name
    }
  })
}
