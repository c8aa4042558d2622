import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startProgram, type Running } from '../../../scripts/cluster/program.js'
import { parseReply } from '../../../scripts/http/raw.js'
import { emptyDatabase, runInProcess } from '../in-process.js'

async function makeKey (database: Record<string, string>): Promise<string> {
  return JSON.parse(
    (
      await runInProcess(
        ['keys', 'create', '--plan', 'enterprise', '--per-minute', '1000000', '--per-day', '1000000', '--json'],
        database
      )
    ).stdout
  ).key
}

async function keysIn (database: Record<string, string>): Promise<object[]> {
  return JSON.parse((await runInProcess(['keys', 'list', '--json'], database)).stdout).keys
}

/** Waits until a text stands in the log. */
async function logged (server: Running, text: string): Promise<void> {
  for (let tries = 0; !server.stdout().includes(text); tries++) {
    if (tries > 500) throw new Error(`Not logged: ${text}`)
    await sleep(20)
  }
}

const BODY = '{"name":"Rex","categoryId":7}'

/** A POST that the server has begun to read and whose body is still missing. */
async function halfSent (root: string, key: string) {
  const socket = connect(Number(new URL(root).port), '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  socket.write(
    `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\nExpect: 100-continue\r\n\r\n`
  )
  await once(socket, 'data')
  return {
    async finish () {
      socket.write(BODY)
      await closed
      return parseReply(received.replace('HTTP/1.1 100 Continue\r\n\r\n', ''))
    },
    closed
  }
}

t.test('a database that has a key gets none for development', async (t) => {
  const database = emptyDatabase(t)
  await makeKey(database)
  const { stderr } = await startProgram(t, { ...database, DOCS: 'off' })
  t.notMatch(stderr(), /pet_(test|live)_|docs page/)
  t.equal((await keysIn(database)).length, 1)
})

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  t.test(`${signal}: a request under way is answered and kept, then the program ends with exit code 0`, async (t) => {
    const database = emptyDatabase(t)
    const key = await makeKey(database)
    const server = await startProgram(t, database)
    const request = await halfSent(server.root, key)
    const stopped = server.stop(signal)
    await logged(server, '"stopping"')
    const { status, headers, json } = await request.finish()
    t.match({ status, json }, { status: 201, json: { id: 1, name: 'Rex' } })
    t.equal(headers.connection, 'close')
    t.equal(await stopped, 0)
    await logged(server, '"stopped"')
    await t.rejects(fetch(server.root), 'nobody listens any more')

    const again = await startProgram(t, database)
    t.match(await (await fetch(`${again.root}/v1/pets/1`, { headers: { authorization: `Bearer ${key}` } })).json(), {
      name: 'Rex'
    })
  })
}

t.test('a second signal ends the program at once with exit code 1', async (t) => {
  const database = emptyDatabase(t)
  const server = await startProgram(t, database)
  await halfSent(server.root, await makeKey(database))
  const stopped = server.stop('SIGTERM')
  await logged(server, '"stopping"')
  const since = performance.now()
  server.child.kill('SIGTERM')
  t.equal(await stopped, 1)
  t.ok(performance.now() - since < 3_000)
})

t.test('a Ctrl-C that arrives twice, from the terminal and from npm, is one signal', async (t) => {
  const database = emptyDatabase(t)
  const server = await startProgram(t, database)
  const request = await halfSent(server.root, await makeKey(database))
  const stopped = server.stop('SIGINT')
  await logged(server, '"stopping"')
  server.child.kill('SIGINT')
  t.equal((await request.finish()).status, 201)
  t.equal(await stopped, 0)
})

t.test('for DRAIN_DELAY seconds after the signal /readyz says 503 and requests are still answered', async (t) => {
  const database = emptyDatabase(t)
  const key = await makeKey(database)
  const server = await startProgram(t, { ...database, DRAIN_DELAY: '3' })
  t.equal((await fetch(`${server.root}/readyz`)).status, 200)
  const stopped = server.stop()
  await logged(server, '"stopping"')
  t.equal((await fetch(`${server.root}/readyz`)).status, 503)
  const { status, headers } = await fetch(`${server.root}/v1/pets`, { headers: { authorization: `Bearer ${key}` } })
  t.match({ status, connection: headers.get('connection') }, { status: 200, connection: 'close' })
  t.equal(await stopped, 0)
})

t.test('idle connections, used before or never, do not keep a stopping server', async (t) => {
  const server = await startProgram(t, emptyDatabase(t))
  const idle = connect(Number(new URL(server.root).port), '127.0.0.1')
  await once(idle, 'connect')
  await (await fetch(`${server.root}/healthz`)).text()
  const since = performance.now()
  t.equal(await server.stop(), 0)
  t.ok(performance.now() - since < 5_000)
})
