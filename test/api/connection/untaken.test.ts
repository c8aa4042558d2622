import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { repliesOf } from '../../../scripts/http/raw.js'
import { SETTINGS, startService, type Service } from '../../support/service.js'
import { until } from '../../support/until.js'

/** A service with so many animals of long names that a page of them is 1.6 MB. */
async function withLargePage (t: Test, untaken: number, check = 100): Promise<Service> {
  const service = await startService(t, { timeLimits: { ...SETTINGS.timeLimits!, untaken, check } })
  const name = 'x'.repeat(16_000)
  await Promise.all(Array.from({ length: 100 }, () => service.repositories.pets.create({ name, categoryId: 1 })))
  return service
}

const pages = (key: string, times: number): string =>
  `GET /v1/pets?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`.repeat(times)

/** A client that sends this and reads nothing until it is resumed. */
function notReading (t: Test, port: number, bytes: string): Socket {
  const client = connect(port, '127.0.0.1', () => client.write(bytes))
  t.teardown(() => client.destroy())
  client.on('error', () => {})
  return client.pause()
}

/** Reads so many pages, 64 kB every 20 ms at most, and gives their statuses; fewer when the connection is cut off. */
async function readSlowly (t: Test, { port, key }: Service, times: number): Promise<number[]> {
  const client = notReading(t, port, pages(key, times)).setEncoding('latin1')
  let text = ''
  client.on('data', (chunk: string) => {
    text += chunk
    client.pause()
    setTimeout(() => client.resume(), 20)
  })
  client.resume()
  for (let tries = 0; text.length < times * 1_600_000 && !client.destroyed && tries < 1_000; tries++) await sleep(20)
  return client.destroyed ? [] : repliesOf(text).map(({ status }) => status)
}

/** Waits until the service has so many connections. */
async function connections ({ app }: Service, is: (count: number) => boolean): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const count = await new Promise<number>((resolve) => app.server.getConnections((_error, found) => resolve(found)))
    if (is(count)) return
    await sleep(50)
  }
  throw new Error('The connections never were that many.')
}

t.test('a client that takes nothing of its answer for a while is cut off, and one that takes it slowly is not', async (t) => {
  const service = await withLargePage(t, 1_500)
  const slow = readSlowly(t, service, 8)
  const stalled = [4, 100].map((times) => notReading(t, service.port, pages(service.key, times)))
  await Promise.all(stalled.map((client) => once(client, 'connect')))
  await connections(service, (count) => count <= 1)
  t.same(await slow, Array(8).fill(200))
})

t.test('what all clients together do not take is bounded, and who takes nothing is cut off first', async (t) => {
  const service = await withLargePage(t, 60_000)
  const sockets = new Set<Socket>()
  service.app.server.on('connection', (socket: Socket) => sockets.add(socket))
  let most = 0
  const timer = setInterval(() => {
    let held = 0
    for (const socket of sockets) held += socket.writableLength
    most = Math.max(most, held)
  }, 10)
  t.teardown(() => clearInterval(timer))
  // One after the other: those of one turn of the event loop are looked at together.
  for (let client = 0; client < 60; client++) {
    notReading(t, service.port, pages(service.key, 4))
    await until(async () => sockets.size > client)
  }
  for (let call = 0; call < 20; call++) {
    t.equal((await service.call('GET', '/pets?limit=1')).status, 200, 'others are served')
    await sleep(20)
  }
  await connections(service, (count) => count < 50)
  t.ok(most < 64 * 2 ** 20, `${most} bytes`)
})

t.test('who reads is not cut off for those who have taken nothing for longer', async (t) => {
  const service = await withLargePage(t, 60_000, 1_000)
  for (let client = 0; client < 40; client++) notReading(t, service.port, pages(service.key, 50))
  await until(async () => service.app.untaken.cut > 0)
  // Until all of them were looked at once more: what the system holds for them counts as taken.
  await sleep(2_000)
  // Altogether they leave less untaken than the bound, so that only the others stand in their way.
  const readers = await Promise.all(Array.from({ length: 12 }, () => readSlowly(t, service, 3)))
  t.same(readers, Array(12).fill([200, 200, 200]))
})
