import { execFileSync } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { runForJson, startProgram } from '../../../scripts/cluster/program.js'

const CLIENTS = 40
/** Bytes of a body, each of them sent in a packet of its own. */
const SIZE = 6_000
/** Bytes of memory that the bodies may take: ten times their size. At 200 bytes a packet they would take 48 MB. */
const MOST = 10 * CLIENTS * SIZE

t.test('a body takes memory by its size, however many packets it comes in', async (t) => {
  const environment = { DATABASE_URL: `sqlite:${join(t.testdir(), 'petstore.db')}`, LOG_LEVEL: 'warn' }
  const server = await startProgram(t, environment)
  const { key } = await runForJson(['keys', 'create', '--plan', 'business'], environment)
  const memory = (): number => 1_024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(server.child.pid)]))
  const head = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${key}\r\n`
  const clients = Array.from({ length: CLIENTS }, () => {
    const client = connect(Number(new URL(server.root).port), '127.0.0.1').setNoDelay()
    client.on('error', () => {})
    t.teardown(() => client.destroy())
    client.write(`${head}Content-Length: ${SIZE + 1}\r\n\r\n`)
    return client
  })
  const send = async (bytes: number): Promise<void> => {
    for (let sent = 0; sent < bytes; sent++) {
      for (const client of clients) client.write(' ')
      await nextTurn()
    }
  }
  await send(500)
  const before = memory()
  await send(SIZE - 500)
  t.ok(memory() - before < 20e6 + MOST, `memory grew by ${((memory() - before) / 1e6).toFixed(0)} MB`)
  t.equal(clients.filter(({ destroyed }) => destroyed).length, 0, 'and every body was still being read')
})
