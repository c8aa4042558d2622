import t from 'tap'
import { holdTick } from '../../src/cli/tick.js'

t.test('one of the objects that process.nextTick makes is held, always the same', async (t) => {
  const tick = await holdTick()
  t.match(tick, { callback: Function })
  await new Promise<void>((resolve) => process.nextTick(resolve))
  t.equal(await holdTick(), tick)
})
