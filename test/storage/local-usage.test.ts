import fc from 'fast-check'
import t from 'tap'
import { LocalUsage, shareOf } from '../../src/storage/local-usage.js'

const now = Date.parse('2026-03-04T10:20:00Z')

t.test('the shares of all instances add up to the whole', async (t) => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 1, max: 50 }), (amount, instances) => {
    const shares = Array.from({ length: instances }, (_, place) => shareOf(amount, { instances, place }))
    return shares.reduce((sum, share) => sum + share, 0) === amount && Math.max(...shares) - Math.min(...shares) <= 1
  }))
  t.pass()
})

t.test('an instance by itself admits its share of what was left when it last knew, and shows the limit of the plan', async (t) => {
  const usage = new LocalUsage()
  const key = { id: 'key_1', quota: { perMinute: 30, perDay: 1_000 } }
  usage.learn('key_1', { at: now, used: { minute: 8, day: 500 }, strikes: 0 }, true)
  const decisions = Array.from({ length: 9 }, () => usage.charge(key, now, { instances: 3, place: 1 }).decision)
  t.same(decisions.map(({ verdict }) => verdict === 'admitted'), [true, true, true, true, true, true, true, false, false], 'a third of 21')
  t.match(decisions[0], { limit: 30, remaining: 6 })
  t.match(usage.charge(key, now + 60_000, { instances: 3, place: 1 }).decision, { verdict: 'admitted', limit: 30, remaining: 9 }, 'a third of the next minute')
})

t.test('however the shared counters come and go, with or without their memory, no window sees more than twice the limit', async (t) => {
  const event = fc.oneof(
    { weight: 12, arbitrary: fc.record({ kind: fc.constant('hit' as const), instance: fc.integer({ min: 0, max: 2 }), times: fc.integer({ min: 1, max: 10 }) }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'lost' as const }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('back' as const), empty: fc.boolean() }) }
  )
  let most = 0
  fc.assert(fc.property(fc.integer({ min: 1, max: 40 }), fc.array(event, { maxLength: 80 }), (limit, events) => {
    const key = { id: 'key_1', quota: { perMinute: limit, perDay: limit } }
    const instances = Array.from({ length: 3 }, () => new LocalUsage())
    let stored = 0
    let lost = false
    let admitted = 0
    for (const event of events) {
      if (event.kind === 'lost') {
        lost = true
      } else if (event.kind === 'back' && lost) {
        lost = false
        if (event.empty) stored = 0
        for (const instance of instances) {
          for (const [keyId, news] of instance.owed(now, 'all')) {
            stored = Math.max(stored, news.minute.used) + news.minute.more
            instance.settle(keyId, news)
          }
        }
      } else if (event.kind === 'hit') {
        const local = instances[event.instance]!
        for (let time = 0; time < event.times; time++) {
          if (lost) {
            if (local.charge(key, now, { instances: 3, place: event.instance }).decision.verdict === 'admitted') admitted++
            continue
          }
          const charged = { at: now, used: { minute: stored, day: stored }, strikes: 0 }
          const admits = stored < limit
          local.learn(key.id, charged, admits)
          if (admits) {
            stored++
            admitted++
          }
        }
      }
    }
    most = Math.max(most, admitted / limit)
    return admitted <= 2 * limit
  }), { numRuns: 5_000 })
  t.comment(`at most ${most.toFixed(2)} times the limit`)
})
