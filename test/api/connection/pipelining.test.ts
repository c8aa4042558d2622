import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { repliesOf, sendRaw } from '../../../scripts/http/raw.js'
import { startService, type Service } from '../../support/service.js'

const PET = '{"name":"Rex","categoryId":1}'
const get = (key: string, more = '') =>
  `GET /v1/pets?limit=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`
const post = (key: string) =>
  `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 29\r\n\r\n${PET}`

/** A service whose lists wait for `until`. */
const held = (until: () => Promise<unknown>) => ({
  wrap: ({ pets, ...others }: Service['repositories']) => ({
    ...others,
    pets: {
      ...pets,
      list: async (...args: Parameters<typeof pets.list>) => {
        await until()
        // Without isCurrent no response is cached, so that each request is held.
        return { ...(await pets.list(...args)), isCurrent: undefined }
      }
    }
  })
})

t.test('a client that ends its side behind its requests gets every answer', async (t) => {
  const { port, key } = await startService(
    t,
    held(() => setTimeout(20))
  )
  for (const [title, bytes, statuses] of [
    ['one that takes its time', get(key), [200]],
    ['ten', get(key).repeat(10), Array(10).fill(200)],
    ['some that store', post(key).repeat(5) + get(key) + post(key), [...Array(5).fill(201), 200, 201]],
    ['some that are refused', `${get('wrong')}${get(key)}${get('wrong')}`, [401, 200, 401]],
    ['the last of them garbage', `${post(key).repeat(3)}garbage\r\n\r\n`, [201, 201, 201, 400]],
    ['the last of them cut', `${get(key)}${post(key).slice(0, -5)}`, [200, 400]]
  ] as const) {
    t.same(
      repliesOf(await sendRaw(port, bytes, { end: true })).map(({ status }) => status),
      statuses,
      title
    )
  }
})

t.test('chunks are counted for each body, and together where one read brings several bodies', async (t) => {
  const { port, key } = await startService(t)
  const request = (chunks: number) =>
    post(key).replace('Content-Length: 29', 'Transfer-Encoding: chunked').replace(PET, '') +
    [...PET.padEnd(chunks)].map((byte) => `1\r\n${byte}\r\n`).join('') +
    '0\r\n\r\n'
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  for (let count = 0; count < 3; count++) {
    socket.write(request(150))
    t.match(await once(socket, 'data'), [/^HTTP\/1.1 201 /], 'one body after the other')
  }
  socket.destroy()
  t.equal(repliesOf(await sendRaw(port, request(150).repeat(20))).at(-1)!.status, 400, 'twenty bodies at once')
  for (let count = 0; count < 10; count++) {
    // Node gives the parser of a CONNECT to another connection before that of the CONNECT ends.
    const tunnel = connect(port, '127.0.0.1', () => tunnel.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'))
    await once(tunnel, 'data')
    const [reply] = repliesOf(await sendRaw(port, request(150), { end: true }))
    t.equal(reply?.status, 201, 'the next connection is served')
    tunnel.destroy()
  }
})

t.test('no more is read of a connection than can be served', async (t) => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const { app, port, key, fetch } = await startService(
    t,
    held(() => released)
  )
  const connected = once(app.server, 'connection') as Promise<[Socket]>
  const requests = get(key, `X-Long: ${'x'.repeat(10_000)}\r\n`).repeat(200) + get(key, 'Connection: close\r\n')
  const client = connect(port, '127.0.0.1').setEncoding('latin1')
  client.write(requests)
  const [socket] = await connected
  for (let turn = 0; turn < 20; turn++) t.equal((await fetch('GET', '/healthz')).status, 200)
  t.ok(socket.bytesRead < 200_000, `${socket.bytesRead} of ${requests.length} bytes`)
  release()
  let text = ''
  for await (const chunk of client) text += chunk
  t.same(
    repliesOf(text).map(({ status }) => status),
    Array(201).fill(200),
    'and all of it is served in the end'
  )
})

t.test('of the requests that arrive at once no more are parsed than are served next', async (t) => {
  let released: Promise<void>
  const { app, port, key } = await startService(
    t,
    held(() => released)
  )
  let parsed = 0
  app.server.on('request', () => parsed++)
  for (const [title, count, end, last] of [
    ['a request that closes', 500, get(key, 'Connection: close\r\n'), 200],
    ['a header that is too large', 100, get(key, `X: ${'x'.repeat(17_000)}\r\n`), 431],
    ['no HTTP', 100, 'no HTTP\r\n\r\n', 400]
  ] as const) {
    let release = () => {}
    released = new Promise((resolve) => {
      release = resolve
    })
    parsed = 0
    const arrived = once(app.server, 'request')
    const client = connect(port, '127.0.0.1').setEncoding('latin1')
    client.write(get(key).repeat(count) + end)
    await arrived
    await setTimeout(50)
    t.ok(parsed < 10, `${title}: ${parsed} are parsed`)
    release()
    let text = ''
    for await (const chunk of client) text += chunk
    t.same(
      repliesOf(text).map(({ status }) => status),
      [...Array(count).fill(200), last],
      `${title} behind ${count}`
    )
  }
})

t.test('a connection goes on to be read after the last of many requests', async (t) => {
  const { port, key } = await startService(t)
  for (let count = 1; count <= 8; count++) {
    const client = connect(port, '127.0.0.1').setEncoding('latin1')
    let text = ''
    client.on('data', (chunk) => {
      text += chunk
    })
    for (let times = 0; times < 2; times++) {
      text = ''
      client.write(get(key).repeat(count))
      for (let tries = 0; repliesOf(text).length < count && tries < 500; tries++) await setTimeout(5)
      t.equal(repliesOf(text).length, count, `${count} at once, ${times} before them`)
    }
    const [half, other] = ['GET /v1/pets HTTP/1.1\r\nHo', 'st: x\r\nno HTTP\r\n\r\n']
    text = ''
    client.write(get(key).repeat(count) + half)
    for (let tries = 0; repliesOf(text).length < count && tries < 500; tries++) await setTimeout(5)
    client.write(other)
    await once(client, 'end')
    t.equal(repliesOf(text).at(-1)!.status, 400, `a fault behind ${count}, in two parts`)
  }
})
