import t from 'tap'
import { hangUp, percentile, tally } from '../../../scripts/cluster/load.js'
import { overload } from '../../../scripts/overload/overload.js'

t.test('with 2,000 connections at full speed all are answered, the health soon, and memory stays small', async (t) => {
  t.teardown(hangUp)
  const { flooded, health, memory, recovery } = await overload(t, { connections: 2_000, seconds: 10 })
  const { statuses, failed, p99, max } = flooded
  t.comment(JSON.stringify({ flooded, memory }))
  t.equal(failed, 0, 'no connection is cut')
  t.match(Object.keys(statuses).join(), /^200,201(,503)?$/)
  t.ok(max <= 15_000)
  t.ok(p99 <= 10_000, 'ten times the wait after which new requests are refused')
  for (const [path, answers] of Object.entries(health)) {
    t.same(Object.keys(tally(answers)), ['200'], path)
    t.ok(answers.length > 20, path)
    t.ok(percentile(answers, 99) <= 1_000, `${path}: ten times what is promised`)
  }
  t.ok(memory.most < 1_000)
  t.ok(recovery < 10_000, 'ten times the wait after which new requests are refused')
})
