import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { noAnswers } from '../../../src/domain/api-keys/daily-usage.js'
import { DAY } from '../../../src/domain/windows.js'
import type { Database } from '../../../src/storage/database/database.js'
import { AnswerCounts } from '../../../src/storage/usage/answer-counts.js'
import { CountingServer } from '../../../src/storage/usage/counting-server.js'
import { addAnswers, deleteOldAnswers, readDays } from '../../../src/storage/usage/daily-table.js'
import { gatherCounts } from '../../../src/storage/usage/gathering.js'
import { databasesUnderTest } from '../../support/databases.js'
import { until } from '../../support/until.js'

const TODAY = Date.parse('2026-03-04T00:00:00Z')
const join = (database: Database, counts: AnswerCounts, saveAdmitted = async () => {}) =>
  CountingServer.join(database, counts, { alone: false, saveAdmitted })

for (const [name, open] of databasesUnderTest(t)) {
  t.test(`${name}: answers are counted by day and kind, and those of several servers are added`, async (t) => {
    const database = await open(t)
    const servers = await Promise.all(
      [new AnswerCounts(), new AnswerCounts()].map(async (counts) => ({ counts, server: await join(database, counts) }))
    )
    for (const { counts } of servers) {
      for (const status of [200, 201, 204, 304, 400, 404, 429, 429, 500, 503]) counts.note('key_1', status, TODAY)
      counts.note('key_1', 200, TODAY - 1)
      counts.note('key_2', 200, TODAY)
      counts.note('key_1', 200, TODAY + DAY - 1)
    }
    await Promise.all(servers.map(({ server }) => server.leave()))
    t.same(await readDays(database, 'key_1', TODAY - DAY), [
      { day: TODAY - DAY, answers: { ...noAnswers(), '2xx': 2 } },
      { day: TODAY, answers: { '2xx': 8, '3xx': 2, '4xx': 4, 429: 4, '5xx': 4 } }
    ])
    t.same(await readDays(database, 'key_2', TODAY), [{ day: TODAY, answers: { ...noAnswers(), '2xx': 2 } }])
    t.same(await readDays(database, 'key_3', TODAY), [])
    t.same(await database.read('SELECT server FROM counting_servers'), [], 'no server is there any more')
  })

  t.test(`${name}: servers that are asked write all they have counted before the one who asks goes on`, async (t) => {
    const database = await open(t)
    const counts = [new AnswerCounts(), new AnswerCounts(), new AnswerCounts()]
    const saved: number[] = []
    const servers = await Promise.all(
      counts.map((one, index) => join(database, one, async () => {
        saved.push(index)
      }))
    )
    let expected = 0
    for (let round = 0; round < 5; round++) {
      for (const one of counts) for (let times = 0; times <= round; times++) one.note('key_1', 200, TODAY)
      expected += 3 * (round + 1)
      t.equal(await gatherCounts(database, TODAY), 0)
      t.equal((await readDays(database, 'key_1', TODAY))[0]!.answers['2xx'], expected)
    }
    t.same([...new Set(saved)].sort(), [0, 1, 2], 'what the limits have admitted, too')
    await Promise.all(servers.map((server) => server.leave()))
    t.equal(await gatherCounts(database, TODAY), 0, 'there is nobody to ask any more')
  })

  t.test(`${name}: what is counted is written without being asked`, async (t) => {
    const database = await open(t)
    const counts = new AnswerCounts()
    const server = await join(database, counts)
    counts.note('key_1', 200, TODAY)
    await until(async () => (await readDays(database, 'key_1', TODAY)).length > 0)
    await server.leave()
    t.equal((await readDays(database, 'key_1', TODAY))[0]!.answers['2xx'], 1, 'once')
  })

  t.test(`${name}: a server that does not answer is told of, and waited for no second time`, async (t) => {
    const database = await open(t)
    await database.write("INSERT INTO counting_servers (server, batch, asked, told) VALUES ('killed', 3, 1, 1)")
    t.equal(await gatherCounts(database, TODAY, 200), 1)
    t.equal(await gatherCounts(database, TODAY, 200), 0)

    const counts = new AnswerCounts()
    const server = await join(database, counts)
    await database.write('DELETE FROM counting_servers')
    await sleep(700)
    counts.note('key_1', 200, TODAY)
    t.equal(await gatherCounts(database, TODAY), 0)
    t.equal((await readDays(database, 'key_1', TODAY)).length, 1, 'one that was only slow is asked again')
    await server.leave()
  })

  t.test(`${name}: a batch whose outcome was not known is written once`, async (t) => {
    const database = await open(t)
    const counts = new AnswerCounts()
    let isBroken = false
    const outcomes: string[] = []
    const unreliable: Database = {
      read: (sql, values) => database.read(sql, values),
      write: (sql, values) => database.write(sql, values),
      async transaction (work) {
        const result = await database.transaction(work)
        outcomes.push(isBroken ? 'lost' : 'known')
        if (isBroken) throw new Error('The connection was lost after the commit.')
        return result
      },
      ping: () => database.ping(),
      close: () => database.close()
    }
    const told: Error[] = []
    const server = await CountingServer.join(unreliable, counts, {
      alone: false,
      saveAdmitted: async () => {},
      onUnwritten: (cause) => told.push(cause)
    })
    const untilThereAre = async (wanted: string[]) => {
      await until(async () => outcomes.length >= wanted.length)
      t.same(outcomes.slice(0, wanted.length), wanted)
    }
    isBroken = true
    counts.note('key_1', 200, TODAY)
    await untilThereAre(['known', 'lost', 'lost'])
    isBroken = false
    await untilThereAre(['known', 'lost', 'lost', 'known'])
    counts.note('key_1', 200, TODAY)
    await server.leave()
    t.equal((await readDays(database, 'key_1', TODAY))[0]!.answers['2xx'], 2)
    t.equal(told.length, 1, 'it is told once until it works')
  })

  t.test(`${name}: a batch whose outcome was not known is written once, also by a server that was given up`, async (t) => {
    const database = await open(t)
    const counts = new AnswerCounts()
    let line: 'well' | 'breaks' | 'broken' = 'well'
    const unreliable: Database = {
      read: (sql, values) => database.read(sql, values),
      write: (sql, values) => database.write(sql, values),
      async transaction (work) {
        if (line === 'broken') throw new Error('There is no connection.')
        const result = await database.transaction(work)
        if (line === 'well') return result
        line = 'broken'
        throw new Error('The connection was lost after the commit.')
      },
      ping: () => database.ping(),
      close: () => database.close()
    }
    const server = await join(unreliable, counts)
    line = 'breaks'
    counts.note('key_1', 200, TODAY)
    await until(async () => (await readDays(database, 'key_1', TODAY)).length > 0)
    t.equal(await gatherCounts(database, TODAY, 200), 1)
    t.equal(await gatherCounts(database, TODAY, 200), 0, 'nobody waits for it again')
    counts.note('key_1', 200, TODAY)
    line = 'well'
    // It comes back.
    await until(async () => Number((await database.read('SELECT batch FROM counting_servers'))[0]?.batch) === 2)
    t.equal((await readDays(database, 'key_1', TODAY))[0]!.answers['2xx'], 2)
    counts.note('key_1', 200, TODAY)
    t.equal(await gatherCounts(database, TODAY), 0)
    t.equal((await readDays(database, 'key_1', TODAY))[0]!.answers['2xx'], 3, 'it is asked again')
    await server.leave()
    t.same(await database.read('SELECT server FROM counting_servers'), [])
  })

  t.test(`${name}: every one of several who ask at the same time is told of a server that does not answer`, async (t) => {
    const database = await open(t)
    await database.write("INSERT INTO counting_servers (server, batch, asked, told) VALUES ('killed', 3, 1, 1)")
    const first = gatherCounts(database, TODAY, 200)
    await sleep(100)
    const second = gatherCounts(database, TODAY, 600)
    t.same(await Promise.all([first, second]), [1, 1])
  })

  t.test(`${name}: the row of a server that was given up is kept for a day, in case it comes back`, async (t) => {
    const database = await open(t)
    const row = (server: string, givenUpAt: number | null) =>
      database.write('INSERT INTO counting_servers (server, batch, asked, told, given_up_at) VALUES ($1, 3, 1, 1, $2)', [
        server,
        givenUpAt
      ])
    const rows = async () => {
      const found = await database.read('SELECT server, given_up_at FROM counting_servers ORDER BY server')
      return found.map(({ server, given_up_at: time }) => [server, time])
    }
    await row('a day ago', TODAY - DAY)
    await row('less than a day ago', TODAY - DAY + 1)
    await row('killed', null)
    t.equal(await gatherCounts(database, TODAY, 200), 1)
    t.same(await rows(), [['killed', TODAY], ['less than a day ago', TODAY - DAY + 1]])

    const server = await join(database, new AnswerCounts())
    t.equal(await gatherCounts(database, TODAY + DAY), 0)
    t.same((await rows()).map(([, time]) => time), [null], 'also when all that are there answer')
    await server.leave()
  })

  t.test(`${name}: 400 days are kept, however many keys there are`, async (t) => {
    const database = await open(t)
    const day = (keyId: string, ago: number) => ({ keyId, day: TODAY - ago * DAY, kind: '2xx' as const, count: 1 })
    await addAnswers(database, [day('key_1', 399), day('key_1', 0)])
    await addAnswers(database, Array.from({ length: 1_200 }, (_, index) => day(`key_${index}`, 400)))
    let rounds = 1
    while (await deleteOldAnswers(database, TODAY)) rounds++
    t.equal(rounds, 3)
    const days = await readDays(database, 'key_1', 0)
    t.same(days.map((found) => found.day), [TODAY - 399 * DAY, TODAY])
    t.same(await readDays(database, 'key_2', 0), [])
  })
}
