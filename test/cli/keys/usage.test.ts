import t, { type Test } from 'tap'
import { runForJson, startProgram } from '../../../scripts/cluster/program.js'
import { DAY } from '../../../src/domain/windows.js'
import { openSqlite } from '../../../src/storage/database/sqlite/sqlite.js'
import { addAnswers } from '../../../src/storage/usage/daily-table.js'
import { emptyDatabase, runInProcess } from '../in-process.js'

const TODAY = Date.now() - (Date.now() % DAY)
const dateOf = (day: number) => new Date(day).toISOString().slice(0, 10)

const environmentOf = (t: Test) => ({ ...emptyDatabase(t), LOG_LEVEL: 'silent' })
const get = async (root: string, key: string, path = '/pets') => {
  const response = await fetch(`${root}/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
  await response.arrayBuffer()
  return response.status
}

t.test('what keys list and keys usage show of today is exact while the server runs', async (t) => {
  const environment = environmentOf(t)
  const { root } = await startProgram(t, environment)
  const made = await runForJson(['keys', 'create'], environment)
  const other = await runForJson(['keys', 'create', '--plan', 'enterprise', '--per-minute', '5', '--per-day', '5'], environment)
  let sent = 0
  for (const times of [3, 1, 20]) {
    for (let time = 0; time < times; time++) await get(root, made.key)
    sent += times
    const { keys } = await runForJson(['keys', 'list'], environment)
    t.same(keys.map(({ usedToday }: { usedToday: number }) => usedToday).sort(), [0, 0, sent].sort())
    t.equal((await runForJson(['keys', 'show', made.id], environment)).usedToday, sent)
    t.match((await runForJson(['keys', 'usage', made.id, '--days', '1'], environment)).days, [
      { day: dateOf(TODAY), '2xx': sent, '3xx': 0, '4xx': 0, 429: 0, '5xx': 0 }
    ])
  }
  for (const path of ['/pets/1', '/pets?limit=x', '/nope', '/pets', '/categories', '/pets', '/pets']) {
    await get(root, other.key, path)
  }
  t.match((await runForJson(['keys', 'usage', other.id, '--days', '1'], environment)).days, [
    { '2xx': 2, '3xx': 0, '4xx': 3, 429: 2, '5xx': 0 }
  ])
  t.equal((await runForJson(['keys', 'show', other.id], environment)).usedToday, 5, 'without those that were refused')
})

t.test('a server that is stopped has written all, and one that is killed has lost a second at most', async (t) => {
  const environment = environmentOf(t)
  for (const [signal, least] of [['SIGTERM', 7], ['SIGKILL', 0]] as const) {
    const server = await startProgram(t, environment)
    const made = await runForJson(['keys', 'create'], environment)
    for (let time = 0; time < 7; time++) await get(server.root, made.key)
    await server.stop(signal)
    const ended = await runInProcess(['keys', 'usage', made.id, '--days', '1', '--json'], environment)
    const { days } = JSON.parse(ended.stdout) as { days: Record<string, number>[] }
    t.ok(days[0]!['2xx']! >= least && days[0]!['2xx']! <= 7, `${signal}: ${days[0]!['2xx']} of 7`)
    t.equal(ended.stderr, signal === 'SIGKILL' ? 'A server did not answer. What was counted there in the last second is missing.\n' : '')
    const again = await runInProcess(['keys', 'usage', made.id, '--days', '1', '--json'], environment)
    t.equal(again.stderr, '', 'it is told once')
  }
})

t.test('keys revoke waits for no server, and says nothing of one that was killed', async (t) => {
  const environment = environmentOf(t)
  const server = await startProgram(t, environment)
  const made = await runForJson(['keys', 'create'], environment)
  t.equal(await get(server.root, made.key), 200)
  await server.stop('SIGKILL')
  t.match(await runInProcess(['keys', 'revoke', made.id], environment), { code: 0, stdout: /^Revoked /, stderr: '' })
  t.match((await runInProcess(['keys', 'show', made.id], environment)).stderr, /^A server did not answer/, 'others ask it')
})

t.test('keys usage draws bars on a terminal, and writes JSON and CSV', async (t) => {
  const environment = environmentOf(t)
  const made = await runForJson(['keys', 'create', '--name', 'Shop'], environment)
  const database = openSqlite(environment.DATABASE_URL.slice(7), { owner: false })
  const counted = (ago: number, kind: '2xx' | '4xx' | '429', count: number) => ({ keyId: made.id, day: TODAY - ago * DAY, kind, count })
  await addAnswers(database, [counted(0, '2xx', 200), counted(2, '2xx', 90), counted(2, '4xx', 10), counted(2, '429', 300), counted(399, '2xx', 1)])
  await database.close()

  const args = ['keys', 'usage', made.id, '--days', '3']
  const { stdout } = await runInProcess(args, environment, { columns: 80 })
  const [title, , headings, ...rows] = stdout.trimEnd().split('\n')
  t.equal(title, `${made.id} (Shop): 600 requests in 3 days`)
  t.match(headings, /^DAY +ALL +2xx +3xx +4xx +429 +5xx$/)
  t.match(rows[0], new RegExp(`^${dateOf(TODAY - 2 * DAY)} +400 +90 +0 +10 +300 +0 +█{20,}$`))
  t.match(rows[1], new RegExp(`^${dateOf(TODAY - DAY)} +0 +0 +0 +0 +0 +0$`))
  t.match(rows[2], new RegExp(`^${dateOf(TODAY)} +200 +200 +0 +0 +0 +0 +█{10,}▌?$`))
  t.equal(rows[2]!.replace(/[^█]/g, '').length, Math.floor(rows[0]!.replace(/[^█]/g, '').length / 2), 'half as long')
  for (const line of stdout.split('\n')) t.ok(line.length <= 80)
  t.notMatch((await runInProcess(args, environment)).stdout, /█/, 'no bars where nobody looks')
  t.match((await runInProcess(args, environment, { columns: 20 })).stdout, /\n\nday {2}\S+\nall {2}200\n2xx {2}200\n/)

  t.equal(
    (await runInProcess([...args, '--csv'], environment)).stdout,
    ['day,2xx,3xx,4xx,429,5xx', `${dateOf(TODAY - 2 * DAY)},90,0,10,300,0`, `${dateOf(TODAY - DAY)},0,0,0,0,0`, `${dateOf(TODAY)},200,0,0,0,0`, ''].join('\n')
  )
  const { days } = await runForJson(['keys', 'usage', made.id, '--days', '400'], environment)
  t.equal(days.length, 400)
  t.match(days[0], { day: dateOf(TODAY - 399 * DAY), '2xx': 1 })
  t.equal((await runForJson(['keys', 'usage', made.id], environment)).days.length, 30)
  for (const wrong of ['0', '401', 'x', '1.5']) {
    t.match(await runInProcess(['keys', 'usage', made.id, '--days', wrong], environment), { code: 2, stderr: /from 1 to 400/ })
  }
  t.match(await runInProcess([...args, '--json', '--csv'], environment), { code: 2, stderr: /cannot be used with/ })
  t.match(await runInProcess(['keys', 'usage', 'key_nope'], environment), { code: 1, stderr: /There is no key/ })
})
