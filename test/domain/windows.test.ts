import t from 'tap'
import { DAY, MINUTE, windowEnd, windowStart } from '../../src/domain/windows.js'

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
