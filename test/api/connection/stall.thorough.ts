import t from 'tap'
import { payloads } from '../../../scripts/stall/payloads.js'
import { stallOf } from '../../../scripts/stall/stall.js'
import { startService } from '../../support/service.js'

/** Milliseconds beside which no ratio counts, as they are spent on any request. */
const LEAST = 5
/** A turn that is longer than this is a fault on any machine; `npm run stall` prints the real figures. */
const MOST = 100

t.test('a request of twice the size is not four times the work, and none holds up the others', async (t) => {
  const { port, key, clock } = await startService(t)
  const [half, whole] = [payloads(key, 8 * 1024), payloads(key, 16 * 1024)]
  for (const [index, [title, bytes]] of whole.entries()) {
    clock.advance(60_000)
    const small = await stallOf(port, half[index]![1], 4)
    const large = await stallOf(port, bytes, 4)
    t.ok(large.cost <= 3 * small.cost + LEAST, `${title}: ${small.cost.toFixed(1)} ms, ${large.cost.toFixed(1)} ms`)
    t.ok(large.turn <= MOST, `${title}: a turn of ${large.turn.toFixed(1)} ms`)
    t.ok(large.status < 500, `${title}: ${large.status}`)
  }
})
