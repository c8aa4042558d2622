import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { eventually } from '../../../scripts/cluster/server.js'
import { clients, tally } from '../../../scripts/cluster/load.js'
import { recordingLogger } from '../../support/log.js'
import { startService, type Reply, type Service } from '../../support/service.js'
import { fullService } from './full-service.js'

const NEVER = 120_000

/** Sends so many requests at once, and gives the answers in the order in which they came. */
async function flood (count: number, send: () => Promise<Reply>): Promise<{ order: Reply[] }> {
  const order: Reply[] = []
  await Promise.all(Array.from({ length: count }, async () => order.push(await send())))
  return { order }
}

/** A service that works so long on each list, in milliseconds, that nothing else is done meanwhile. */
function slowService (t: Test, { work, wait }: { work: number; wait: number }): Promise<Service> {
  return startService(t, {
    loadLimits: { wait, underWay: NEVER },
    wrap: (repositories) => ({
      ...repositories,
      pets: {
        ...repositories.pets,
        list: (...given) => {
          const end = performance.now() + work
          while (performance.now() < end);
          return repositories.pets.list(...given)
        }
      }
    })
  })
}

t.test('all of a burst is served, the health before most of it', async (t) => {
  const service = await slowService(t, { work: 5, wait: NEVER })
  const all: string[] = []
  const told = async (name: string, reply: Promise<Reply>): Promise<Reply> => {
    const { status } = await reply
    all.push(name)
    t.equal(status, 200)
    return reply
  }
  const burst = flood(300, () => told('list', service.call('GET', '/pets')))
  await eventually(async () => {
    if (all.length === 0) throw new Error('nothing answered yet')
  })
  const before = all.length
  await told('healthz', service.fetch('GET', '/healthz'))
  await told('readyz', service.fetch('GET', '/readyz'))
  t.ok(all.length - before < 200, `${all.length - before} answers later`)
  await burst
  t.equal(all.filter((name) => name === 'list').length, 300)
})

t.test('new requests get 503 when the first in line has waited too long, and are served again after that', async (t) => {
  const service = await slowService(t, { work: 2, wait: 0 })
  const answers: Reply[] = []
  const load = clients(100, async () => {
    answers.push(await service.call('GET', '/pets'))
  })
  await eventually(async () => {
    if (!answers.some(({ status }) => status === 503)) throw new Error('none is refused')
  })
  await load.stop()
  t.same(Object.keys(tally(answers)), ['200', '503'])
  t.same(service.app.refusals, { wait: tally(answers)[503], under_way: 0 })
  for (const { headers, json } of answers.filter(({ status }) => status === 503)) {
    t.same(json, { code: 'unavailable', message: 'The service has too much to do.', status: 503 })
    t.equal(headers.get('retry-after'), '1')
    for (const name of ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'date']) {
      t.ok(headers.get(name), name)
    }
    t.equal(headers.get('cache-control'), 'no-store')
    t.equal(headers.get('access-control-allow-origin'), '*')
  }
  t.equal((await service.call('GET', '/pets/1')).status, 404)
})

t.test('new requests get 503 while too many are under way', async (t) => {
  const { lines, logger } = recordingLogger('warn')
  const { service, fill, empty } = await fullService(t, { logger })
  await fill()
  t.equal((await service.call('HEAD', '/pets')).status, 503)
  const post = await service.call('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } })
  t.equal(post.status, 503)
  for (const path of ['/healthz', '/readyz', '/healthz?probe=1', '/readyz?']) {
    t.equal((await service.fetch('GET', path)).status, 200, path)
    t.equal((await service.fetch('HEAD', path)).status, 200, path)
  }
  t.equal((await service.fetch('GET', '/healthz-of-another')).status, 503, 'a path that only begins so')
  t.equal(service.app.refusals.wait, 0)
  t.ok(service.app.refusals.under_way >= 3)
  t.same(tally(await empty()), { 200: 10 })
  await eventually(async () => {
    if ((await service.call('GET', '/pets')).status !== 200) throw new Error('not served again')
  })
  await service.app.close()
  const told = lines.filter((line) => line.includes('too much to do')).map((line) => JSON.parse(line).requests)
  const refused = service.app.refusals.under_way
  t.equal(told.reduce((sum, requests) => sum + requests, 0), refused, 'all are told at the latest when it stops')
})

t.test('an early 503 tells what the address of the caller may still use, of which it charges nothing', async (t) => {
  const { service, fill, empty } = await fullService(t, { trustProxy: ['127.0.0.1'] })
  const remaining = async (address: string) => {
    const { status, headers } = await service.fetch('GET', '/v1/pets', { headers: { 'X-Forwarded-For': address } })
    return [status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]
  }
  for (const left of ['59', '58', '57']) t.same(await remaining('192.0.2.1'), [401, '60', left])
  await fill()
  t.same(await remaining('192.0.2.1'), [503, '60', '57'])
  t.same(await remaining('192.0.2.2'), [503, '60', '60'], 'of the client, not of the proxy or of another client')
  t.same(await remaining('192.0.2.1'), [503, '60', '57'])
  await empty()
})

/** Sends requests over one connection, each once the answer before has come, and gives their statuses by name. */
function connectionOf (t: Test, { port }: Service) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  return (address: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { 'X-Forwarded-For': address }
      request({ port, host: '127.0.0.1', path: '/v1/pets', agent, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode!))
      })
        .on('error', reject)
        .end()
    })
}

t.test('over the connection of a trusted proxy, a refused client that comes again too soon holds up no other', async (t) => {
  const { service, fill, empty } = await fullService(t, { trustProxy: ['127.0.0.1'] })
  await fill()
  const [first, second] = [connectionOf(t, service), connectionOf(t, service)]
  t.equal(await first('192.0.2.1'), 503)
  const answered: string[] = []
  const again = second('192.0.2.1').then((status) => answered.push(`${status} again`))
  for (const address of ['192.0.2.2', '192.0.2.3', '192.0.2.4']) {
    answered.push(`${await first(address)} ${address}`)
  }
  await again
  t.same(answered, ['503 192.0.2.2', '503 192.0.2.3', '503 192.0.2.4', '503 again'])
  await empty()
})

t.test('a client that is asked to wait waits, whatever it says of others whose requests it passes on', async (t) => {
  const { service, fill, empty } = await fullService(t)
  await fill()
  const [first, second] = [connectionOf(t, service), connectionOf(t, service)]
  t.equal(await first('192.0.2.1'), 503)
  const answered: string[] = []
  const again = first('192.0.2.2').then((status) => answered.push(`${status} again`))
  answered.push(`${await second('192.0.2.1')} over another connection`)
  await again
  t.same(answered, ['503 over another connection', '503 again'])
  await empty()
})

t.test('requests that a client sends behind one another are answered in order, the health among them', async (t) => {
  const { service, fill, empty } = await fullService(t)
  const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n\r\n`
  await fill()
  const socket = connect(service.port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
  socket.write(ask('/v1/pets'))
  await eventually(async () => {
    if (statuses().length < 1) throw new Error('not refused')
  })
  socket.write(ask('/v1/pets/1') + ask('/healthz') + ask('/v1/pets/1') + ask('/readyz'))
  await empty()
  await eventually(async () => {
    if (statuses().length < 5) throw new Error(`only ${statuses()}`)
  })
  t.match(statuses().join(), /^503,(404|503),200,(404|503),200$/)
})

t.test('of what a refused client sends behind one another, one request a second is refused', async (t) => {
  const { service, fill, empty } = await fullService(t)
  await fill()
  const start = performance.now()
  const socket = connect(service.port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  socket.write('GET /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(4))
  await eventually(async () => {
    if (text.match(/HTTP\/1\.1 503/g)?.length !== 4) throw new Error(`not all are refused: ${text}`)
  })
  t.ok(performance.now() - start >= 3_000, 'the first at once, and each other a second after the one before')
  await empty()
})

t.test('all that a client behind a proxy sends too soon is answered together, not one a second', async (t) => {
  const { service, fill, empty } = await fullService(t, { trustProxy: ['127.0.0.1'] })
  await fill()
  const start = performance.now()
  const connections = Array.from({ length: 30 }, () => connectionOf(t, service))
  const statuses = await Promise.all(connections.map((send) => send('192.0.2.1')))
  t.same(new Set(statuses), new Set([503]))
  t.ok(performance.now() - start < 10_000, 'ten times the wait that was asked for')
  await empty()
})

t.test('requests whose bodies are still arriving refuse nobody', async (t) => {
  const service = await startService(t, { loadLimits: { wait: NEVER, underWay: 10 } })
  const end = new AbortController()
  const bodies = Array.from({ length: 30 }, () =>
    fetch(`${service.root}/v1/pets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      duplex: 'half',
      signal: end.signal,
      body: new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{')) })
    } as RequestInit).catch(() => {})
  )
  await eventually(async () => {
    if (service.app.underWay.count < 30) throw new Error('not arrived')
  })
  await sleep(500)
  t.equal((await service.call('GET', '/pets')).status, 200)
  end.abort()
  await Promise.all(bodies)
  await eventually(async () => {
    if (service.app.underWay.list().length > 0) throw new Error('still under way')
  })
})
