import t from 'tap'
import { AskedToWait } from '../../../src/plugins/connection/overload/asked-to-wait.js'

t.test('a client waits from when it was asked last', async (t) => {
  const asked = new AskedToWait(1_000)
  t.equal(asked.untilOf('one'), 0)
  asked.ask('one', 100)
  asked.ask('other', 200)
  asked.ask('one', 700)
  t.equal(asked.untilOf('one'), 1_700)
  t.equal(asked.untilOf('other'), 1_200)
})

t.test('those who need not wait any more are forgotten', async (t) => {
  const asked = new AskedToWait(1_000)
  for (let client = 0; client < 10_000; client++) asked.ask(`${client}`, client)
  t.equal(asked.size, 1_000)
})

t.test('one that is asked again and again keeps none of the others remembered', async (t) => {
  const asked = new AskedToWait(1_000)
  asked.ask('again', 0)
  for (let client = 0; client < 10_000; client++) {
    asked.ask('again', client)
    asked.ask(`${client}`, client)
  }
  t.equal(asked.size, 1_001)
})
