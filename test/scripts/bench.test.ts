import { once } from 'node:events'
import { createServer, request, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { measure } from '../../scripts/bench/load/window.js'
import { summarize } from '../../scripts/bench/report/results.js'
import { quartilesOf } from '../../scripts/bench/report/statistics.js'
import { startTargets } from '../../scripts/bench/servers/targets.js'
import { runScript } from '../../scripts/cluster/program.js'

const SETTINGS = { connections: 4, ramp: 0.05, seconds: 0.2 }
const right = {
  request: 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
  isRight: (status: number, body: string) => status === 200 && body === 'right'
}

/** Measures a server of this process, whose answers to the first 20 requests are right. */
async function measureServer (t: Test, later: RequestListener) {
  let count = 0
  const server = createServer((request, response) => {
    if (count++ < 20) response.end('right')
    else later(request, response)
  })
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return measure([{ pid: process.pid, port }], () => right, SETTINGS)
}

t.test('a window has figures when every answer is right', async (t) => {
  const window = await measureServer(t, (_request, response) => response.end('right'))
  t.match(window, { cpu: Number, rate: Number, p50: Number, p99: Number, answers: Number })
})

t.test('a window is void with one answer that is wrong, has no length or does not come', async (t) => {
  let once = false
  const wrongOnce: RequestListener = (_request, response) => {
    response.statusCode = once ? 200 : 500
    once = true
    response.end('right')
  }
  t.match(await measureServer(t, wrongOnce), { fault: '500 right' })
  t.match(await measureServer(t, (_request, response) => response.end('wrong')), { fault: '200 wrong' })
  const chunked: RequestListener = (_request, response) => {
    response.write('ri')
    response.end('ght')
  }
  t.match(await measureServer(t, chunked), { fault: /^an answer without Content-Length/ })
  const nothing: RequestListener = (request) => request.socket.destroy()
  t.match(await measureServer(t, nothing), { fault: 'the connection ended without an answer' })
})

t.test('the ratio is that of the windows of one round, and void ones have none', async (t) => {
  const others = { rate: 1, p50: 1, p99: 1, serverBusy: 1, loadBusy: 1, answers: 1, from: 0, to: 1 }
  const figures = (cpu: number) => ({ ...others, cpu })
  const fault = { fault: '500 ' }
  const base = [figures(10), figures(10), figures(10)]
  const { L, G } = summarize({ L: { ours: [figures(20), fault, figures(40)], base }, G: { ours: [fault], base } }, 'base')
  t.match(L, { ours: { windows: 2, voided: ['500 '], cpu: { q1: 25, median: 30, q3: 35 }, ratio: { median: 0.375 } } })
  t.match(G, { ours: { windows: 0, voided: ['500 '], cpu: undefined, ratio: undefined }, base: { ratio: { median: 1 } } })
})

t.test('bareH answers with the status, the headers and the body that were recorded, and Node dates it anew', async (t) => {
  const recorded = (status: number, body: string) => ({
    status,
    body,
    headers: ['x-first', '1', 'Content-Length', `${body.length}`, 'Date', 'Sat, 28 Nov 2026 00:00:00 GMT', 'ETag', '"a"']
  })
  const answers = { list: recorded(200, '[]'), get: recorded(200, '{}'), create: recorded(201, '{"id":1}') }
  const folder = t.testdir({ 'answers.json': JSON.stringify(answers) })
  const dataset = { answers, pets: [], pages: [] }
  const [server] = await startTargets(t, undefined, ['bareH'], { folder, dataset, key: 'any' })
  for (const [method, path, expected] of [
    ['GET', '/v1/pets?limit=20', answers.list],
    ['GET', '/v1/pets/1', answers.get],
    ['POST', '/v1/pets', answers.create]
  ] as const) {
    const sent = request({ host: '127.0.0.1', port: server!.servers[0]!.port, method, path }).end()
    const [response] = await once(sent, 'response')
    t.equal(response.statusCode, expected.status)
    t.equal((await response.toArray()).join(''), expected.body)
    t.match(response.rawHeaders.join(), /^x-first,1,Content-Length,\d,ETag,"a",Date,/)
    t.notMatch(response.headers.date, expected.headers[5])
  }
})

t.test('quartiles lie between the values that are there', async (t) => {
  t.same(quartilesOf([5]), { q1: 5, median: 5, q3: 5 })
  t.same(quartilesOf([4, 1, 3, 2]), { q1: 1.75, median: 2.5, q3: 3.25 })
  t.equal(quartilesOf([]), undefined)
})

t.test('npm run bench refuses what it cannot measure before it starts anything', async (t) => {
  for (const words of [['--only', 'L,X'], ['--peers', 'koa'], ['--rounds', '0'], ['--pets', 'many'], ['--scale', 'x']]) {
    t.match(await runScript('bench', ...words), { code: 2, stdout: '', stderr: /Usage: / }, words.join(' '))
  }
})
