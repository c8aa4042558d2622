import { execFileSync } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startProgram } from '../../../scripts/cluster/program.js'

/** 10,000 take a minute. */
const CLIENTS = Number(process.env.CLIENTS ?? 1_500)
/** How many clients connect in a second. */
const RATE = 300
/** Bytes of memory that the process may have, even with 10,000 of them. */
const MOST = 500e6
/** Ten times the longest that another request took of 10,000 such clients, in milliseconds. */
const LONGEST = 2_500

t.test('clients that send many requests and take no answer are cut off, and others feel nothing', async (t) => {
  const server = await startProgram(t, {
    DATABASE_URL: `sqlite:${join(t.testdir(), 'petstore.db')}`,
    LOG_LEVEL: 'warn'
  })
  const { port } = new URL(server.root)
  const requests = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100)
  let connected = 0
  const add = (): void => {
    const client = connect(Number(port), '127.0.0.1', () => {
      connected++
      client.write(requests)
    })
    t.teardown(() => client.destroy())
    client.on('error', () => {})
    client.pause()
  }
  const memory = (): number => 1_024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(server.child.pid)]))
  const cut = (): number =>
    [...server.stdout().matchAll(/"connections":(\d+),"msg":"connections were cut/g)].reduce(
      (sum, [, count]) => sum + Number(count),
      0
    )

  const started = performance.now()
  let [begun, longest, most] = [0, 0, 0]
  while (cut() < CLIENTS && performance.now() - started < 90_000) {
    const due = Math.min(CLIENTS, (RATE * (performance.now() - started)) / 1_000)
    for (; begun < due; begun++) add()
    const before = performance.now()
    const response = await fetch(`${server.root}/healthz`, { headers: { connection: 'close' } })
    await response.text()
    longest = Math.max(longest, performance.now() - before)
    if (response.status !== 200) t.fail(`another request is answered with ${response.status}`)
    most = Math.max(most, memory())
    await sleep(20)
  }
  t.equal(connected, CLIENTS, 'all were let in')
  t.equal(cut(), CLIENTS, 'all are cut off')
  t.ok(most < MOST, `memory: ${Math.round(most / 1e6)} MB`)
  t.ok(longest < LONGEST, `the longest that another request took: ${Math.round(longest)} ms`)
})
