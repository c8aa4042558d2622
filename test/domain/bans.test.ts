import t from 'tap'
import { BAN_LENGTHS, nextBan, type Ban } from '../../src/domain/bans.js'
import { DAY, MINUTE } from '../../src/domain/windows.js'

const now = Date.parse('2026-03-04T10:20:17Z')

t.test('bans last 1, 5, 15, 60 minutes, then 24 hours', async (t) => {
  t.same(
    BAN_LENGTHS,
    [1, 5, 15, 60, 1440].map((minutes) => minutes * MINUTE)
  )
  let ban: Ban | undefined
  for (const [index, length] of [...BAN_LENGTHS, DAY, DAY].entries()) {
    const at: number = ban?.until ?? now
    ban = nextBan(ban, at)
    t.same(ban, { level: Math.min(index + 1, 5), until: at + length })
  }
})

t.test('each day without a ban takes a step back', async (t) => {
  const before: Ban = { level: 4, until: now }
  const levels: [days: number, level: number][] = [
    [0, 5],
    [0.99, 5],
    [1, 4],
    [1.5, 4],
    [2, 3],
    [3, 2],
    [4, 1],
    [400, 1]
  ]
  for (const [days, level] of levels) t.equal(nextBan(before, now + days * DAY).level, level, `${days} days later`)
})
