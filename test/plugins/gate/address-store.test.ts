import t from 'tap'
import { AddressCounts } from '../../../src/plugins/gate/address-store.js'
import { TestClock } from '../../support/clock.js'

t.test('a flood of addresses frees nobody from its count', async (t) => {
  const counts = new AddressCounts(new TestClock())
  for (let i = 0; i < 60; i++) counts.add('victim')
  for (let i = 0; i < 100_000; i++) counts.add(`flood ${i}`)
  t.equal(counts.of('victim'), 60)
  t.equal(counts.of('flood 0'), 1)
  t.ok(counts.of('flood 99999') > 50_000, 'those beyond the bound share one count')
  t.ok(counts.of('never seen') > 50_000)
})

t.test('a new minute begins at second 0', async (t) => {
  const clock = new TestClock()
  const counts = new AddressCounts(clock)
  counts.add('address')
  clock.advance(59_999)
  counts.add('address')
  t.equal(counts.of('address'), 2)
  clock.advance(1)
  t.equal(counts.of('address'), 0)
})
