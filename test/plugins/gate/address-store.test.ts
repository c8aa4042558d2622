import t from 'tap'
import { AddressStore } from '../../../src/plugins/gate/address-store.js'
import { TestClock } from '../../support/clock.js'

const count = (store: AddressStore, address: string) => store.incr(address, () => {})

t.test('a flood of addresses frees nobody from its count', async (t) => {
  const store = new AddressStore(new TestClock())
  for (let i = 0; i < 60; i++) count(store, 'victim')
  for (let i = 0; i < 100_000; i++) count(store, `flood ${i}`)
  t.equal(store.used('victim'), 60)
  t.equal(store.used('flood 0'), 1)
  t.ok(store.used('flood 99999') > 50_000, 'those beyond the bound share one count')
  t.ok(store.used('never seen') > 50_000)
})

t.test('a new minute begins at second 0', async (t) => {
  const clock = new TestClock()
  const store = new AddressStore(clock)
  count(store, 'address')
  clock.advance(59_999)
  count(store, 'address')
  t.equal(store.used('address'), 2)
  clock.advance(1)
  t.equal(store.used('address'), 0)
})
