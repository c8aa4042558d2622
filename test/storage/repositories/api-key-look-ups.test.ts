import { join } from 'node:path'
import t, { type Test } from 'tap'
import { isValid, sha256, type ApiKeyRepository } from '../../../src/domain/api-keys.js'
import { StorageUnavailable } from '../../../src/domain/errors.js'
import { PLANS } from '../../../src/domain/plans.js'
import { singleFlightLookUps } from '../../../src/storage/repositories/api-key-look-ups.js'
import { apiKeyRepository } from '../../../src/storage/repositories/api-keys.js'
import { openedFile } from '../../support/databases.js'
import { until } from '../../support/until.js'

const HASH = sha256('secret')

/**
 * Look-ups whose answers stay on their way until they are let go, with what each found when it ran; one key is there.
 */
async function setUp (t: Test) {
  const apiKeys = apiKeyRepository(openedFile(t, join(t.testdir(), 'petstore.db')))
  await apiKeys.create(
    { id: 'key_1', kind: 'live', name: 'test', plan: 'free', quota: PLANS.free, last4: 'abcd', createdAt: new Date(0) },
    HASH
  )
  const onTheirWay: { arrive: () => void; fail: (error: Error) => void }[] = []
  const slow: ApiKeyRepository = {
    ...apiKeys,
    async findByHash (hash) {
      const found = apiKeys.findByHash(hash)
      await new Promise<void>((resolve, reject) => {
        onTheirWay.push({ arrive: resolve, fail: reject })
      })
      return await found
    }
  }
  const shared = singleFlightLookUps(slow)
  const validity = async (): Promise<boolean> => isValid((await shared.findByHash(HASH))!, 1)
  /** The look-up of that number, once it has begun. */
  const lookUp = async (number: number) => {
    await until(async () => onTheirWay.length >= number)
    return onTheirWay[number - 1]!
  }
  return { apiKeys, validity, lookUp, count: () => onTheirWay.length }
}

t.test(
  'a request that arrives after a key was revoked is refused, also while a look-up from before is on its way',
  async (t) => {
    const { apiKeys, validity, lookUp } = await setUp(t)
    const before = validity()
    const first = await lookUp(1)
    await apiKeys.revoke('key_1', new Date(1))
    const after = validity()
    first.arrive()
    t.equal(await before, true)
    const second = await lookUp(2)
    second.arrive()
    t.equal(await after, false)
  }
)

t.test('a storm of one caller is one look-up at a time, and two in all while the first lasts', async (t) => {
  const { validity, lookUp, count } = await setUp(t)
  const storm = Array.from({ length: 100 }, validity)
  const first = await lookUp(1)
  t.equal(count(), 1)
  first.arrive()
  const second = await lookUp(2)
  second.arrive()
  t.ok((await Promise.all(storm)).every(Boolean))
  t.equal(count(), 2)
})

t.test('who waits for a look-up that fails fails with it, and the next begins anew', async (t) => {
  const { validity, lookUp } = await setUp(t)
  const outcomes = Promise.allSettled([validity(), validity(), validity()])
  const first = await lookUp(1)
  first.fail(new StorageUnavailable('gone'))
  t.ok(
    (await outcomes).every((outcome) => outcome.status === 'rejected' && outcome.reason instanceof StorageUnavailable)
  )
  const next = validity()
  const second = await lookUp(2)
  second.arrive()
  t.equal(await next, true)
})
