import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { samplesOf, startMeasured } from '../../metrics/measured.js'
import { recordingLogger } from '../../support/log.js'
import { SETTINGS, startService } from '../../support/service.js'
import { until } from '../../support/until.js'

t.test('clients that break their connections off are no fault of the service', async (t) => {
  const { lines, logger } = recordingLogger('warn')
  const { port, call, fetch, key } = await startService(t, { logger })
  const get = (authorization: string) => `GET /v1/pets HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`
  const requests = [
    get(''),
    get(`Authorization: Bearer ${key}\r\n`),
    'GET /nope HTTP/1.1\r\nHost: x\r\n\r\n',
    'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"name":'
  ]
  for (const request of requests) {
    for (let i = 0; i < 20; i++) {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(request.repeat(20))
        socket.resetAndDestroy()
      })
      socket.on('error', () => {})
    }
  }
  await sleep(500)
  t.same(lines, [])
  t.equal((await fetch('GET', '/readyz')).status, 200)
  t.equal((await call('GET', '/pets')).text, '[]')
})

/** Starts a service with its log, whose list of categories does not answer until it is released. */
async function startHeld (t: Test, timeLimits = SETTINGS.timeLimits!) {
  const { lines, logger } = recordingLogger('info')
  let release = (): void => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const charged: string[] = []
  let wait = async (): Promise<void> => {}
  /** Has the limits wait before they decide on the next request. */
  const deciding = () => {
    let now = (): void => {}
    const decided = new Promise<void>((resolve) => (now = resolve))
    const asked = new Promise<void>((resolve) => {
      wait = () => {
        resolve()
        return decided
      }
    })
    return { asked, now }
  }
  const noted: number[] = []
  const service = await startMeasured(t, {
    logger,
    settings: { timeLimits },
    wrap: (repositories) => ({
      ...repositories,
      usage: {
        ...repositories.usage,
        charge: async (...given) => {
          await wait()
          const decision = await repositories.usage.charge(...given)
          charged.push(decision.verdict)
          return decision
        }
      },
      dailyUsage: { ...repositories.dailyUsage, note: (_keyId, status) => noted.push(status) },
      categories: {
        ...repositories.categories,
        list: async (...given) => {
          await held
          return repositories.categories.list(...given)
        }
      }
    })
  })
  const key = await service.makeKey('enterprise')
  const answered = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
  return { ...service, key, release, charged, deciding, noted, answered }
}

t.test('a client that leaves while the limits decide is counted once, as a request', async (t) => {
  const { answered, charged, deciding, key, port, read } = await startHeld(t)
  for (const [index, bytes] of Object.values(requests(key)).entries()) {
    const decide = deciding()
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write(bytes)
    await decide.asked
    socket.resetAndDestroy()
    await until(async () => (await read()).get('petstore_connections') === 0)
    t.equal(charged.length, index)
    decide.now()
    await until(async () => answered().length === index + 1)
    t.match(answered().at(-1), { status: 499 })
  }
  const samples = await read()
  t.same(samplesOf(samples, 'petstore_limit_decisions_total'), { '{plan="enterprise",outcome="admitted"}': 3 })
  t.same(samplesOf(samples, 'petstore_requests_unparsed_total'), {})
})

/** The bytes of a request with a key, cut off within its body where it has one. */
const requests = (key: string) => {
  const head = `HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`
  const post = `POST /v1/pets ${head}Content-Type: application/json\r\n`
  return {
    'a body with a length': `${post}Content-Length: 50\r\n\r\n{"name":`,
    'a chunked body': `${post}Transfer-Encoding: chunked\r\n\r\n8\r\n{"name":\r\n`,
    'no body': `GET /v1/categories ${head}\r\n`
  }
}

/** Sends bytes and, once they were charged as a request, does something to their connection. */
async function sendAndThen (port: number, bytes: string, charged: string[], then: (socket: Socket) => void) {
  const before = charged.length
  const socket = connect(port, '127.0.0.1').on('error', () => {}).resume()
  socket.write(bytes)
  await until(async () => charged.length > before)
  then(socket)
  return socket
}

t.test('a client that leaves before its answer is one line with the status 499, counted as it was charged', async (t) => {
  const { answered, charged, key, noted, port, read } = await startHeld(t)
  const leave = { end: (socket: Socket) => socket.destroy(), reset: (socket: Socket) => socket.resetAndDestroy() }
  let count = 0
  for (const [what, bytes] of Object.entries(requests(key))) {
    for (const [how, then] of Object.entries(leave)) {
      // A client that has sent its whole request and ends its side may still read the answer (RFC 9112, section 9.6).
      if (what === 'no body' && how === 'end') continue
      await sendAndThen(port, bytes, charged, then)
      count++
      await until(async () => answered().length === count)
      t.match(answered().at(-1), { status: 499, keyId: /^key_/, code: undefined }, `${what}, ${how}`)
    }
  }
  const samples = await read()
  t.equal(charged.length, count)
  t.same(noted, charged.map(() => 499))
  t.same(samplesOf(samples, 'petstore_limit_decisions_total'), { '{plan="enterprise",outcome="admitted"}': count })
  t.same(samplesOf(samples, 'petstore_requests_total'), {
    '{operation="createPet",route="/v1/pets",method="POST",status="499",plan="enterprise"}': 4,
    '{operation="listCategories",route="/v1/categories",method="GET",status="499",plan="enterprise"}': 1
  })
  t.same(samplesOf(samples, 'petstore_requests_unparsed_total'), {})
})

t.test('a body that is too slow or malformed is one line with the status that its client got', async (t) => {
  const timeLimits = { ...SETTINGS.timeLimits!, headers: 2_000, request: 2_000, check: 50 }
  const { answered, charged, key, noted, port, read } = await startHeld(t, timeLimits)
  const { 'a chunked body': bytes } = requests(key)
  await sendAndThen(port, bytes, charged, (socket) => socket.write('zz\r\n'))
  await sendAndThen(port, bytes, charged, () => {})
  await until(async () => answered().length === 2)
  t.match(answered(), [{ status: 400, code: 'bad_request' }, { status: 408, code: 'request_timeout' }])
  t.same(noted, [400, 408])
  t.same(samplesOf(await read(), 'petstore_requests_unparsed_total'), {})
})

t.test('bytes that never become a request are still counted as such, and those behind an answer too', async (t) => {
  const { answered, charged, key, port, read, release } = await startHeld(t)
  const socket = await sendAndThen(port, requests(key)['no body'], charged, (socket) => socket.write('rubbish\r\n\r\n'))
  release()
  await until(async () => answered().length === 1)
  t.match(answered(), [{ status: 200 }])
  connect(port, '127.0.0.1').on('error', () => {}).end('rubbish\r\n\r\n')
  const malformed = 'petstore_requests_unparsed_total{reason="malformed"}'
  await until(async () => (await read()).get(malformed) === 2)
  socket.destroy()
})
