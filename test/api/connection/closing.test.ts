import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { eventually } from '../../../scripts/cluster/server.js'
import { repliesOf } from '../../../scripts/http/raw.js'
import { startService, type Service } from '../../support/service.js'

/** A service with so many animals of long names that a page of them is far more than a system takes at once. */
async function withLargePage (t: Test): Promise<Service> {
  const service = await startService(t)
  const name = 'x'.repeat(16_000)
  await Promise.all(Array.from({ length: 100 }, () => service.repositories.pets.create({ name, categoryId: 1 })))
  return service
}

const get = (path: string, key: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`

/** A client that sends this and does not read yet. */
async function notReading (port: number, bytes: string): Promise<Socket> {
  const client = connect(port, '127.0.0.1')
  client.on('error', () => {})
  client.pause()
  await once(client, 'connect')
  client.write(bytes)
  return client
}

async function textOf (client: Socket): Promise<string> {
  client.setEncoding('latin1')
  let text = ''
  for await (const chunk of client) text += chunk
  return text
}

/** Stops a service as the program does. */
async function stop ({ app, lifecycle }: Service): Promise<void> {
  lifecycle.draining = true
  await app.close()
}

t.test('what has begun is delivered whole when the service stops, however slowly it is read', async (t) => {
  const service = await withLargePage(t)
  const connections: Socket[] = []
  service.app.server.on('connection', (socket: Socket) => connections.push(socket))
  const clients: Socket[] = []
  for (const pages of [1, 2, 5]) {
    clients.push(await notReading(service.port, get('/v1/pets?limit=100', service.key).repeat(pages)))
  }
  await eventually(async () => {
    if (!connections.every(({ bytesWritten }) => bytesWritten > 1_600_000)) throw new Error('not yet answered')
  })
  const stopped = stop(service)
  await sleep(300)
  const replies = (await Promise.all(clients.map(textOf))).map(repliesOf)
  await stopped
  t.same(replies.map((all) => all.map(({ status, json }) => [status, json?.length])), [
    [[200, 100]],
    Array(2).fill([200, 100]),
    Array(5).fill([200, 100])
  ])
  const closes = replies.map((all) => all.map(({ headers }) => headers.connection === 'close'))
  t.same(closes[0], [false], 'made before it stopped')
  t.notOk(closes[1]![0])
  t.same(closes[2], [...Array(4).fill(false), true], 'the last answer made while it stops ends the connection')
})

t.test('a connection over which a request has begun to arrive is not idle', async (t) => {
  const service = await startService(t)
  for (const before of ['', get('/v1/pets', service.key)]) {
    const { port, key } = service
    const client = connect(port, '127.0.0.1').setEncoding('latin1')
    if (before !== '') {
      client.write(before)
      await once(client, 'data')
    }
    const [head, rest] = [get('/v1/pets', key).slice(0, 30), get('/v1/pets', key).slice(30)]
    client.write(head)
    await sleep(100)
    service.app.server.closeIdleConnections()
    await sleep(100)
    client.write(rest)
    const [answer] = (await once(client, 'data')) as [string]
    t.match(answer, /^HTTP\/1\.1 200 /)
    client.destroy()
  }
})

t.test('idle connections end with the service, used before or never', async (t) => {
  const service = await startService(t)
  const used = connect(service.port, '127.0.0.1')
  used.write(get('/v1/pets', service.key))
  await once(used, 'data')
  const unused = connect(service.port, '127.0.0.1')
  await once(unused, 'connect')
  await Promise.all([stop(service), once(used.resume(), 'end'), once(unused.resume(), 'end')])
})

t.test('requests that have reached the system when the service stops are answered', async (t) => {
  const service = await startService(t)
  // The client and the service share a process here, which has taken over none of the connections yet.
  const clients = Array.from({ length: 200 }, () => connect(service.port, '127.0.0.1'))
  const answers = clients.map((client) => {
    client.write(get('/v1/pets', service.key))
    return textOf(client).catch((error: Error) => error.message)
  })
  await stop(service)
  t.same(new Set((await Promise.all(answers)).map((text) => text.slice(0, 12))), new Set(['HTTP/1.1 200']))
})
