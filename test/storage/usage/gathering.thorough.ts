import { AnswerCounts } from '../../../src/storage/usage/answer-counts.js'
import { CountingServer } from '../../../src/storage/usage/counting-server.js'
import { readDays } from '../../../src/storage/usage/daily-table.js'
import { gatherCounts } from '../../../src/storage/usage/gathering.js'
import { migratedPostgres, openedPostgres, testPostgres } from '../../support/databases.js'
import { startLine } from '../../support/line.js'
import { until } from '../../support/until.js'

const TODAY = Date.parse('2026-03-04T00:00:00Z')

testPostgres(
  'what was committed as the line to PostgreSQL broke counts once, though a command gave its server up meanwhile',
  async (t) => {
    const url = await migratedPostgres()
    const line = await startLine(t, url)
    const database = await openedPostgres(t, url)
    const counts = new AnswerCounts()
    const server = await CountingServer.join(await openedPostgres(t, line.url), counts, {
      alone: false,
      saveAdmitted: async () => {}
    })
    const answered = async () => (await readDays(database, 'key_1', TODAY))[0]?.answers['2xx'] ?? 0
    const untilAnswered = (count: number) => until(async () => (await answered()) >= count)
    for (let round = 0; round < 3; round++) {
      const before = 3 * round
      line.breakAfter('COMMIT')
      counts.note('key_1', 200, TODAY)
      await untilAnswered(before + 1)
      t.equal(await gatherCounts(database, TODAY, 300), 1, 'it does not answer')
      counts.note('key_1', 200, TODAY)
      line.mend()
      await untilAnswered(before + 2)
      counts.note('key_1', 200, TODAY)
      t.equal(await gatherCounts(database, TODAY), 0, 'it answers again')
      t.equal(await answered(), before + 3)
    }
    await server.leave()
    t.equal(await answered(), 9)
  }
)
