import t from 'tap'
import { DAY, MINUTE, decide, windowEnd, windowStart, type Decision } from '../../src/domain/usage.js'
import { memoryUsage } from '../../src/storage/usage.js'

const at = (iso: string): number => Date.parse(iso)

t.test('windows are aligned to UTC: a minute begins at second 0, a day at 00:00', async (t) => {
  const wanted: [now: string, length: number, start: string, end: string][] = [
    ['2026-03-04T10:20:00.000Z', MINUTE, '2026-03-04T10:20:00Z', '2026-03-04T10:21:00Z'],
    ['2026-03-04T10:20:59.999Z', MINUTE, '2026-03-04T10:20:00Z', '2026-03-04T10:21:00Z'],
    ['2026-03-04T10:21:00.000Z', MINUTE, '2026-03-04T10:21:00Z', '2026-03-04T10:22:00Z'],
    ['2026-03-04T23:59:30.000Z', MINUTE, '2026-03-04T23:59:00Z', '2026-03-05T00:00:00Z'],
    ['2026-03-04T00:00:00.000Z', DAY, '2026-03-04T00:00:00Z', '2026-03-05T00:00:00Z'],
    ['2026-03-04T23:59:59.999Z', DAY, '2026-03-04T00:00:00Z', '2026-03-05T00:00:00Z'],
    ['2026-12-31T12:00:00.000Z', DAY, '2026-12-31T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['2028-02-29T12:00:00+14:00', DAY, '2028-02-28T00:00:00Z', '2028-02-29T00:00:00Z']
  ]
  for (const [now, length, start, end] of wanted) {
    t.equal(windowStart(at(now), length), at(start), `start of ${now}`)
    t.equal(windowEnd(at(now), length), at(end), `end of ${now}`)
  }
})

t.test('the verdict shows the window with less left, the longer of two alike; a refusal the spent one that ends last', async (t) => {
  const now = at('2026-03-04T10:20:30Z')
  const minuteEnd = at('2026-03-04T10:21:00Z')
  const dayEnd = at('2026-03-05T00:00:00Z')
  const shows = (admitted: boolean, window: 'minute' | 'day', limit: number, remaining: number): Decision => ({ admitted, limit, remaining, resetAt: window === 'minute' ? minuteEnd : dayEnd })
  const wanted: [what: string, used: [minute: number, day: number], quota: [perMinute: number, perDay: number], decision: Decision][] = [
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
  for (const [what, [minute, day], [perMinute, perDay], decision] of wanted) t.same(decide({ minute, day }, { perMinute, perDay }, now), decision, what)
})

t.test('a request that one window refuses is charged to neither', async (t) => {
  const usage = memoryUsage()
  const quota = { perMinute: 2, perDay: 5 }
  const charge = (iso: string) => usage.charge('key_1', quota, at(iso))
  const wanted: [iso: string, admitted: boolean, limit: number, remaining: number][] = [
    ['2026-03-04T10:20:00Z', true, 2, 1],
    ['2026-03-04T10:20:01Z', true, 2, 0],
    ['2026-03-04T10:20:02Z', false, 2, 0],
    ['2026-03-04T10:20:59Z', false, 2, 0],
    ['2026-03-04T10:21:00Z', true, 2, 1], // 2 + 1 of the day: the refused ones are not in it
    ['2026-03-04T10:21:01Z', true, 2, 0],
    ['2026-03-04T10:22:00Z', true, 5, 0],
    ['2026-03-04T10:22:01Z', false, 5, 0],
    ['2026-03-04T23:59:59Z', false, 5, 0],
    ['2026-03-05T00:00:00Z', true, 2, 1]
  ]
  for (const [iso, admitted, limit, remaining] of wanted) {
    const { resetAt, ...decision } = await charge(iso)
    t.same(decision, { admitted, limit, remaining }, iso)
    t.ok(resetAt > at(iso), `${iso} resets later`)
  }
})

t.test('exactly as many requests at once are admitted as the limit says, and keys do not count for each other', async (t) => {
  const usage = memoryUsage()
  const now = at('2026-03-04T10:20:00Z')
  const decisions = await Promise.all(Array.from({ length: 500 }, (_, index) => usage.charge(`key_${index % 2}`, { perMinute: 60, perDay: 1_000 }, now)))
  t.equal(decisions.filter(({ admitted }) => admitted).length, 120)
})
