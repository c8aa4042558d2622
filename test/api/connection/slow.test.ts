import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { repliesOf } from '../../../scripts/http/raw.js'
import { faultOf, missingHeader } from '../../../scripts/http/refusal.js'
import { SETTINGS } from '../../../scripts/service/in-process.js'
import { serverOf, timeLimitsOf } from '../../../src/server.js'
import { startService, type Service } from '../../support/service.js'

/** A fifth of what the service has, and time enough for a test that waits for none of them; in milliseconds. */
const SHORT = { headers: 2_000, request: 3_000, handler: 2_000, untaken: 120_000, check: 200 }
const LONG = { headers: 120_000, request: 120_000, handler: 120_000, untaken: 120_000, check: 200 }

/** Seconds until a cut: not before a limit of SHORT, and ten times that on a busy machine. */
const LIMIT = [1.9, 30] as const
/** Seconds until a connection is closed without a limit of LONG: within two on a quiet machine. */
const AT_ONCE = [0, 20] as const

interface Slow {
  text: string
  seconds: number
}

/** Sends the first bytes at once and the others one each 60 ms, and reads until the connection ends. */
function drip (port: number, first: string, others = ''): Promise<Slow> {
  return new Promise((resolve) => {
    const start = performance.now()
    let text = ''
    let sent = 0
    let timer: NodeJS.Timeout
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(first)
      timer = setInterval(() => {
        if (sent < others.length && socket.writable) socket.write(others[sent++]!)
      }, 60)
    })
    socket.setEncoding('latin1')
    socket.on('data', (data) => {
      text += data
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      resolve({ text, seconds: (performance.now() - start) / 1000 })
    })
  })
}

/**
 * Sends bytes, reads nothing for 2.5 s, which is longer than a handler may take, and then everything; gives the
 * statuses of the answers.
 */
async function readLate (port: number, bytes: string): Promise<number[]> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  socket.write(bytes)
  await setTimeout(2_500)
  let text = ''
  for await (const chunk of socket) text += chunk
  return repliesOf(text).map(({ status, headers, body }) =>
    body.length === Number(headers['content-length']) ? status : NaN
  )
}

const never = () => new Promise<never>(() => {})

t.test('what is too slow is cut', async (t) => {
  const service = await startService(t, { timeLimits: SHORT })
  const patient = await startService(t, { timeLimits: LONG, keepAliveTimeout: 1_000 })
  const hung = await startService(t, {
    timeLimits: SHORT,
    wrap: ({ pets, ...others }: Service['repositories']) => ({ ...others, pets: { ...pets, list: never } })
  })
  const { port, key } = service
  const head = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${key}\r\n`
  const ok = `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const long = 'x'.repeat(200)

  const cases: [
    title: string,
    first: string,
    others: string,
    readonly [from: number, to: number],
    statuses: number[]
  ][] = [
    ['a connection that says nothing', '', '', LIMIT, [408]],
    ['half a request line', 'GET /v1/pe', '', LIMIT, [408]],
    ['a request line that is dripped', 'GET /v1/pets?', long, LIMIT, [408]],
    ['headers that are dripped', `${head}X-Slow: `, long, LIMIT, [408]],
    [
      'headers that are dripped behind a request that was answered',
      `${ok}GET / HTTP/1.1\r\nX-Slow: `,
      long,
      LIMIT,
      [200, 408]
    ],
    ['a body that does not come', `${head}Content-Length: 29\r\n\r\n`, '', LIMIT, [408]],
    ['a body that is dripped', `${head}Content-Length: 1000\r\n\r\n`, long, LIMIT, [408]],
    [
      'a body that is dripped in chunks',
      `${head}Transfer-Encoding: chunked\r\n\r\n`,
      '1\r\n{\r\n'.repeat(30),
      LIMIT,
      [408]
    ],
    [
      'a body that is dripped behind a request that was answered',
      `${ok}${head}Content-Length: 1000\r\n\r\n`,
      long,
      LIMIT,
      [200, 408]
    ]
  ]
  const patientOk = ok.replace(key, patient.key)
  const closed: typeof cases = [
    [
      'a body that is dripped after a refusal',
      `${head.replace(key, 'wrong')}Content-Length: 1000\r\n\r\n`,
      long,
      AT_ONCE,
      [401]
    ],
    [
      'a body that is dripped where none is read',
      `${patientOk.slice(0, -2)}Content-Length: 1000\r\n\r\n`,
      long,
      AT_ONCE,
      [200]
    ],
    ['a connection that is idle after an answer', patientOk, '', [0.9, 20], [200]]
  ]
  const cut = Promise.all(
    [...cases, ...closed].map(async (tried) => {
      const [title, first, others, [from, to], statuses] = tried
      const server = closed.includes(tried) ? patient.port : port
      for (const { text, seconds } of await Promise.all(Array.from({ length: 5 }, () => drip(server, first, others)))) {
        const replies = repliesOf(text)
        t.same(
          replies.map(({ status }) => status),
          statuses,
          `${title}: ${statuses.join(', ')}`
        )
        t.ok(seconds >= from && seconds <= to, `${title}: after ${seconds.toFixed(1)} s`)
        for (const reply of replies) {
          t.equal(reply.status === 200 ? missingHeader(reply) : faultOf(reply), undefined, title)
        }
      }
    })
  )

  const answer = (async () => {
    const start = performance.now()
    const { status, json, headers } = await hung.call('GET', '/pets')
    t.same(
      { status, code: json.code, retryAfter: headers.get('retry-after') },
      { status: 503, code: 'unavailable', retryAfter: '1' },
      'a handler that hangs is a 503'
    )
    t.ok(performance.now() - start < 20_000, 'in time')
    t.equal((await hung.call('GET', '/pets/1')).status, 404, 'and the service works on')
  })()

  const large = startService(t, { timeLimits: SHORT }).then(async ({ port, key, call }) => {
    await Promise.all(
      Array.from({ length: 100 }, () => call('POST', '/pets', { body: { name: 'x'.repeat(16_000), categoryId: 1 } }))
    )
    const list = `GET /v1/pets?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`
    t.same(
      await readLate(port, `${list}\r\n`.repeat(9) + `${list}Connection: close\r\n\r\n`),
      Array(10).fill(200),
      'a client that reads late gets its 16 MB'
    )
  })

  let ended = 0
  const held = `${head.replace(key, patient.key)}Content-Length: 1000\r\n\r\n`
  for (let i = 0; i < 60; i++) drip(patient.port, held, long).then(() => ended++, t.threw)
  for (let i = 0; i < 20; i++) t.equal((await patient.call('GET', '/pets')).status, 200)
  t.equal(ended, 0, 'others are not held up meanwhile')
  await Promise.all([cut, answer, large])
})

t.test('the service gives requests 10 s for their headers, 15 s for all of them and 10 s for their answer', async (t) => {
  const app = serverOf(SETTINGS, false)
  const { headersTimeout, requestTimeout } = app.server
  t.same({ headersTimeout, requestTimeout }, { headersTimeout: 10_000, requestTimeout: 15_000 })
  t.equal(timeLimitsOf({ ...SETTINGS }).handler, 10_000)
  await app.close()
})
