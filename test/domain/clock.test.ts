import t from 'tap'
import { steadyClock } from '../../src/domain/clock.js'

function driven () {
  const state = { wall: 1_000_000, monotonic: 50, steps: [] as number[] }
  const clock = steadyClock(
    () => state.wall,
    () => state.monotonic,
    (milliseconds) => state.steps.push(milliseconds)
  )
  const pass = (milliseconds: number) => {
    state.wall += milliseconds
    state.monotonic += milliseconds
  }
  return { state, clock, pass }
}

t.test('it tells the time of the wall', async (t) => {
  const { clock, pass } = driven()
  t.equal(clock.now(), 1_000_000)
  pass(1_234)
  t.equal(clock.now(), 1_001_234)
})

t.test('it follows a step forward at once', async (t) => {
  const { clock, state, pass } = driven()
  state.wall += 3_600_000
  pass(10)
  t.equal(clock.now(), 4_600_010)
  t.same(state.steps, [])
})

t.test(
  'set back, it runs on from where it was and says so once; when the wall has caught up, it follows that again',
  async (t) => {
    const { clock, state, pass } = driven()
    pass(1_000)
    t.equal(clock.now(), 1_001_000)
    state.wall -= 10_000
    t.equal(clock.now(), 1_001_000)
    for (let i = 1; i <= 40; i++) {
      pass(0.25)
      t.equal(clock.now(), Math.floor(1_001_000 + i * 0.25), 'calls in quick succession do not make it slower')
    }
    t.same(state.steps, [10_000])
    state.wall += 10_000
    t.equal(clock.now(), 1_001_010)
    pass(5)
    t.equal(clock.now(), 1_001_015)
    state.wall -= 7
    clock.now()
    t.same(state.steps, [10_000, 7], 'another step is another report')
  }
)

t.test('it never goes back, whatever the wall does', async (t) => {
  const { clock, state, pass } = driven()
  let last = clock.now()
  for (let i = 0; i < 10_000; i++) {
    pass(Math.random() * 3)
    if (Math.random() < 0.1) state.wall += (Math.random() - 0.5) * 100_000
    const now = clock.now()
    if (now < last) t.fail(`${now} after ${last}`)
    last = now
  }
})
