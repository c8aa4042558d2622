import { DatabaseSync } from '@photostructure/sqlite'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { MAIN, startProgram, type Running } from '../../../scripts/cluster/program.js'
import { eventually } from '../../../scripts/cluster/server.js'
import { repliesOf } from '../../../scripts/http/raw.js'
import { emptyDatabase, runInProcess } from '../in-process.js'

const LIMITS = ['--plan', 'enterprise', '--per-minute', '1000000', '--per-day', '1000000']
const BODY = '{"name":"Rex","categoryId":7}'

async function databaseWithKey (t: Test) {
  const environment = emptyDatabase(t)
  const { key } = JSON.parse((await runInProcess(['keys', 'create', ...LIMITS, '--json'], environment)).stdout)
  return { path: environment.DATABASE_URL.slice(7), environment, key: key as string }
}

/** Waits until a text stands in the log. */
function logged (server: Running, text: string): Promise<void> {
  return eventually(async () => {
    if (!server.stdout().includes(text)) throw new Error(`Not logged: ${text}`)
  })
}

/** A connection, all that came back over it, and when it ended. */
interface Client {
  socket: Socket
  received: Promise<string>
}

async function open (root: string, bytes: string): Promise<Client> {
  const socket = connect(Number(new URL(root).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.setEncoding('latin1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  const received = once(socket, 'close').then(() => text)
  await once(socket, 'connect')
  socket.write(bytes)
  return { socket, received }
}

const times = <Result>(count: number, make: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, make))

/** Sends a byte of a body now and then, for as long as the connection lasts. */
function dribble ({ socket }: Client): void {
  const timer = setInterval(() => socket.write(' '), 200)
  socket.once('close', () => clearInterval(timer))
}

t.test('with 200 slow bodies, 200 idle connections and 50 requests under way, the 50 are answered', async (t) => {
  const { path, environment, key } = await databaseWithKey(t)
  const server = await startProgram(t, environment)
  const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
  const whole = `${head}Content-Length: ${BODY.length}\r\n\r\n${BODY}`
  const slowBodies = await times(200, () => open(server.root, `${head}Content-Length: 1000\r\n\r\n{`))
  const slowHeads = await times(20, () => open(server.root, head))
  await times(100, () => open(server.root, ''))
  const used = await times(100, () => open(server.root, 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'))
  await Promise.all(used.map(({ socket }) => once(socket, 'data')))
  for (const client of slowBodies) dribble(client)

  // The requests under way wait for the lock of the database.
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  const underWay = await times(50, () => open(server.root, whole))
  await sleep(300)
  const stopped = server.stop()
  await logged(server, '"stopping"')
  await sleep(500)
  other.exec('COMMIT')
  other.close()

  const answers = (await Promise.all(underWay.map(({ received }) => received))).map(repliesOf)
  const answered = performance.now()
  t.same(answers.map((all) => all.map(({ status }) => status)), Array(50).fill([201]))
  t.same(answers.map(([reply]) => reply?.headers.connection), Array(50).fill('close'))
  t.equal(await stopped, 0)
  const took = performance.now() - answered
  t.comment(`exit ${Math.round(took)} ms after the last answer`)
  t.ok(took < 5_000, 'half of the time that requests under way may take')

  const slow = (await Promise.all([...slowBodies, ...slowHeads].map(({ received }) => received))).map(repliesOf)
  t.equal(slow.length, 220)
  for (const [reply, ...more] of slow) {
    const { status, headers, json } = reply ?? {}
    t.match({ status, headers, json, more }, {
      status: 503,
      headers: { connection: 'close', 'retry-after': '1', 'x-request-id': String },
      json: { code: 'unavailable', message: 'The service is stopping.', status: 503 },
      more: []
    })
  }
  t.match(server.stdout(), /"requests":220,.*"refused what had not arrived"/)
})

t.test('a body that arrives while the service stops is answered, however long others take', async (t) => {
  const { environment, key } = await databaseWithKey(t)
  const server = await startProgram(t, environment)
  const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
  const clients = await times(10, () =>
    open(server.root, `${head}Content-Length: ${BODY.length}\r\nExpect: 100-continue\r\n\r\n`)
  )
  await Promise.all(clients.map(({ socket }) => once(socket, 'data')))
  const stopped = server.stop()
  await logged(server, '"stopping"')
  // Each within the time that is left since the one before, and the last long after the first.
  for (const { socket } of clients) {
    await sleep(200)
    socket.write(BODY)
  }
  const answers = (await Promise.all(clients.map(({ received }) => received))).map(repliesOf)
  t.same(answers.map((all) => all.at(-1)!.status), Array(10).fill(201))
  t.equal(await stopped, 0)
})

/** The program, in which SIGUSR2 throws an error that nothing catches, and SIGWINCH rejects a promise. */
const FAULTS = `
process.on('SIGUSR2', () => { throw new Error('a fault of the test') })
process.on('SIGWINCH', () => { Promise.reject(new Error('a fault of the test')) })`

async function startWithFaults (t: Test, environment: Record<string, string>) {
  const faults = `data:text/javascript,${encodeURIComponent(FAULTS)}`
  const child = spawn(process.execPath, ['--import', faults, MAIN, 'serve'], {
    env: { ...process.env, NODE_OPTIONS: '', PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  t.teardown(() => child.kill('SIGKILL'))
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (chunk) => (text[name] += chunk))
  const exited = once(child, 'exit')
  let root = ''
  await eventually(async () => {
    root = /on (http:\/\/\S+?)\/v1/.exec(text.stderr)?.[1] ?? ''
    if (root === '') throw new Error(`not listening: ${text.stderr}`)
  })
  return { child, root, text, exited }
}

for (const signal of ['SIGUSR2', 'SIGWINCH'] as const) {
  const fault = signal === 'SIGUSR2' ? 'an uncaught exception' : 'an unhandled rejection'
  t.test(`${fault} is logged, and what is under way is answered before the program ends with exit code 1`, async (t) => {
    const { path, environment, key } = await databaseWithKey(t)
    const { child, root, text, exited } = await startWithFaults(t, environment)
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE')
    const posts = Array.from({ length: 10 }, () =>
      fetch(`${root}/v1/pets`, {
        method: 'POST',
        body: BODY,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      })
    )
    await sleep(300)
    child.kill(signal)
    await eventually(async () => {
      if (!text.stdout.includes('stopping')) throw new Error('not logged')
    })
    // More faults, and the signal of whoever sees the log, let what is under way be finished all the same.
    child.kill(signal)
    child.kill('SIGTERM')
    await sleep(300)
    other.exec('COMMIT')
    other.close()
    t.same((await Promise.all(posts)).map(({ status }) => status), Array(10).fill(201))
    t.same(await exited, [1, null])
    const lines = text.stdout.trimEnd().split('\n').map((line) => JSON.parse(line))
    const fatal = lines.filter(({ level }) => level === 60)
    t.equal(fatal.length, 2)
    t.match(fatal[0], { err: { type: 'Error', message: 'a fault of the test', stack: /a fault of the test\n +at / } })
    t.equal(lines.at(-1).msg, 'stopped')
  })
}
