import t from 'tap'
import { decide, type Decision } from '../../src/domain/usage.js'

const at = (iso: string): number => Date.parse(iso)

t.test(
  'the verdict shows the window with less left, the longer of two alike; a refusal the spent one that ends last',
  async (t) => {
    const now = at('2026-03-04T10:20:30Z')
    const minuteEnd = at('2026-03-04T10:21:00Z')
    const dayEnd = at('2026-03-05T00:00:00Z')
    const shows = (
      admitted: boolean,
      window: 'minute' | 'day',
      limit: number,
      remaining: number
    ): Omit<Decision, 'windows'> => ({
      verdict: admitted ? 'admitted' : 'limited',
      at: now,
      limit,
      remaining,
      resetAt: window === 'minute' ? minuteEnd : dayEnd
    })
    const wanted: [
      what: string,
      used: [minute: number, day: number],
      quota: [perMinute: number, perDay: number],
      decision: Omit<Decision, 'windows'>
    ][] = [
      ['the first request', [0, 0], [60, 1_000], shows(true, 'minute', 60, 59)],
      ['the last of the minute', [59, 59], [60, 1_000], shows(true, 'minute', 60, 0)],
      ['one more', [60, 60], [60, 1_000], shows(false, 'minute', 60, 0)],
      ['less left in the day', [0, 950], [60, 1_000], shows(true, 'day', 1_000, 49)],
      ['less left in the minute', [11, 950], [60, 1_000], shows(true, 'minute', 60, 48)],
      ['as much left in both', [10, 950], [60, 1_000], shows(true, 'day', 1_000, 49)],
      ['limits alike, nothing used', [0, 0], [5, 5], shows(true, 'day', 5, 4)],
      ['the last of the day', [3, 999], [60, 1_000], shows(true, 'day', 1_000, 0)],
      ['the last of both', [59, 999], [60, 1_000], shows(true, 'day', 1_000, 0)],
      ['the day spent', [3, 1_000], [60, 1_000], shows(false, 'day', 1_000, 0)],
      ['both spent', [60, 1_000], [60, 1_000], shows(false, 'day', 1_000, 0)],
      ['a limit of one', [0, 0], [1, 1], shows(true, 'day', 1, 0)],
      ['more used than a smaller new plan allows in a minute', [300, 300], [60, 1_000], shows(false, 'minute', 60, 0)],
      ['more used than a smaller new plan allows in a day', [0, 5_000], [60, 1_000], shows(false, 'day', 1_000, 0)]
    ]
    for (const [what, [minute, day], [perMinute, perDay], wantedDecision] of wanted) {
      const { windows, ...decision } = decide({ quota: { perMinute, perDay } }, { minute, day }, now)
      t.same(decision, wantedDecision, what)
      const charged = decision.verdict === 'admitted' ? 1 : 0
      t.same(
        windows,
        {
          minute: { limit: perMinute, remaining: Math.max(0, perMinute - minute - charged), resetAt: minuteEnd },
          day: { limit: perDay, remaining: Math.max(0, perDay - day - charged), resetAt: dayEnd }
        },
        `${what}: both windows`
      )
    }
  }
)

t.test('a banned key is refused until its ban ends, whatever its windows say', async (t) => {
  const now = at('2026-03-04T10:20:30Z')
  const quota = { perMinute: 60, perDay: 1_000 }
  const used = { minute: 0, day: 0 }
  const { verdict, remaining, resetAt, windows } = decide({ quota, ban: { level: 1, until: now + 1 } }, used, now)
  t.same({ verdict, remaining, resetAt }, { verdict: 'banned', remaining: 0, resetAt: now + 1 })
  t.same(
    windows,
    {
      minute: { limit: 60, remaining: 60, resetAt: at('2026-03-04T10:21:00Z') },
      day: { limit: 1_000, remaining: 1_000, resetAt: at('2026-03-05T00:00:00Z') }
    },
    'and each window says what is true of it'
  )
  t.equal(decide({ quota, ban: { level: 1, until: now } }, used, now).verdict, 'admitted', 'at its end it is over')
})
