import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { parseReply, repliesOf, sendRaw } from '../../../scripts/http/raw.js'
import { faultOf } from '../../../scripts/http/refusal.js'
import { startService, type Service } from '../../support/service.js'

const PET = '{"name":"Rex","categoryId":1}'

/**
 * Requests that are refused before their body is read: their first lines without the Content-Length or
 * Transfer-Encoding.
 */
async function earlyRefusals ({ key, makeKey, call }: Service): Promise<[status: number, head: string][]> {
  const spent = await makeKey({ plan: 'enterprise', perMinute: 1, perDay: 1 })
  await call('GET', '/pets', { key: spent.secret })
  const head = (line: string, secret: string, type = 'application/json') =>
    `${line} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nAuthorization: Bearer ${secret}\r\n`
  return [
    [401, head('POST /v1/pets', 'wrong')],
    [404, head('POST /v1/nothing', key)],
    [404, head('POST /nothing', key)],
    [405, head('PUT /v1/pets', key)],
    [413, head('POST /v1/pets', key)],
    [415, head('POST /v1/pets', key, 'text/plain')],
    [429, head('POST /v1/pets', spent.secret)]
  ]
}

/** A client that sends 8 MB and reads what comes meanwhile. */
function upload (port: number, head: string, chunked: boolean): Promise<string> {
  return new Promise((resolve) => {
    const block = Buffer.alloc(64 * 1024, 'x')
    const frame = chunked ? Buffer.concat([Buffer.from('10000\r\n'), block, Buffer.from('\r\n')]) : block
    let received = ''
    let left = 128
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `${head}${chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${left * block.length}`}\r\n\r\n`
      )
      send()
    })
    const send = () => {
      while (left-- > 0) if (!socket.write(frame)) return
    }
    socket.on('drain', send)
    socket.setEncoding('latin1')
    socket.setTimeout(10_000, () => socket.destroy())
    socket.on('data', (data) => {
      received += data
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
}

t.test('an early refusal reaches a client that is still sending a large body', async (t) => {
  const service = await startService(t)
  for (const [status, head] of await earlyRefusals(service)) {
    for (const chunked of [false, true]) {
      if (status !== 429) service.clock.advance(60_000)
      const replies = (await Promise.all(Array.from({ length: 20 }, () => upload(service.port, head, chunked)))).map(
        parseReply
      )
      const title = `${status} to ${head.split(' HTTP', 1)[0]} ${chunked ? 'in chunks' : 'with Content-Length'}`
      t.same(
        replies.map((reply) => reply.status),
        Array(20).fill(status),
        title
      )
      t.same(replies.map(faultOf), Array(20).fill(undefined), `${title}: an Error`)
      t.same(
        replies.map(({ headers }) => headers.connection),
        Array(20).fill('close'),
        `${title}: the last answer on its connection`
      )
    }
  }
  t.equal((await service.call('GET', '/pets')).text, '[]', 'and nothing was stored')
})

t.test('an early refusal does not wait for the body', async (t) => {
  const service = await startService(t)
  for (const [status, head] of await earlyRefusals(service)) {
    const text = await sendRaw(service.port, `${head}Content-Length: 20000\r\n\r\n`)
    t.equal(parseReply(text).status, status, `${status} without a byte of the body`)
    t.equal(repliesOf(text).length, 1)
    if (status === 413 || status === 415) continue
    t.equal(
      parseReply(await sendRaw(service.port, `${head}Content-Length: 29\r\nExpect: 100-continue\r\n\r\n`)).status,
      status,
      `${status} instead of 100 Continue`
    )
  }
})

t.test('a refusal of a body that was sent whole leaves the connection open', async (t) => {
  const { port } = await startService(t)
  const post = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 29\r\n\r\n${PET}`
  t.same(
    repliesOf(await sendRaw(port, post + post)).map(({ status }) => status),
    [401, 401]
  )
})

const delayed = (ms: () => number) => ({
  wrap: ({ pets, ...others }: Service['repositories']) => ({
    ...others,
    pets: {
      ...pets,
      list: async (...args: Parameters<typeof pets.list>) => {
        await setTimeout(ms())
        return pets.list(...args)
      }
    }
  })
})

t.test('answers to pipelined requests come in the order of the requests', async (t) => {
  const { port, key } = await startService(
    t,
    delayed(() => Math.random() * 10)
  )
  const request = (line: string, body = '') =>
    `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${body ? `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n` : ''}\r\n${body}`
  const kinds: [bytes: string, status: number][] = [
    [request('GET /v1/pets'), 200],
    [request('POST /v1/pets', PET), 201],
    [request('POST /v1/pets', '{}'), 400],
    [request('GET /v1/pets/9007199254740991'), 404],
    [request('DELETE /v1/pets'), 405],
    [request('GET /nothing'), 404],
    [request('GET /healthz', 'a body'), 200],
    [request('OPTIONS /v1/pets'), 204]
  ]
  for (let run = 0; run < 20; run++) {
    const sent = Array.from({ length: 20 }, () => kinds[Math.floor(Math.random() * kinds.length)]!)
    const text = await sendRaw(
      port,
      `${sent.map(([bytes]) => bytes).join('')}GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
    )
    t.same(
      repliesOf(text).map(({ status }) => status),
      [...sent.map(([, status]) => status), 404]
    )
  }
})

t.test('a connection with many requests does not hold up another', async (t) => {
  const served: number[] = []
  const { port, key } = await startService(t, {
    wrap: ({ pets, ...others }) => ({
      ...others,
      pets: {
        ...pets,
        list: (filter) => {
          served.push(filter.limit)
          return pets.list(filter)
        }
      }
    })
  })
  const get = (limit: number, more = '') =>
    `GET /v1/pets?limit=${limit} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`
  const many = sendRaw(port, get(2).repeat(300) + get(2, 'Connection: close\r\n'))
  const one = sendRaw(port, get(1, 'Connection: close\r\n'))
  t.equal(repliesOf(await one).length, 1)
  t.equal(repliesOf(await many).length, 301)
  t.ok(served.indexOf(1) < 100, `the other was served after ${served.indexOf(1)} of 301`)
})

t.test('pipelined requests see what those before them did', async (t) => {
  const { port, key } = await startService(t)
  const headers = `Host: x\r\nAuthorization: Bearer ${key}\r\n`
  const pair = `POST /v1/pets HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: 29\r\n\r\n${PET}GET /v1/pets?limit=100 HTTP/1.1\r\n${headers}\r\n`
  const replies = repliesOf(await sendRaw(port, pair.repeat(10)))
  t.same(
    replies.map(({ json }) => json.length ?? json.id),
    Array.from({ length: 20 }, (_, index) => Math.floor(index / 2) + 1)
  )
})

t.test('what cannot be read never takes the place of the answer to an earlier request', async (t) => {
  const { port, key } = await startService(
    t,
    delayed(() => 150)
  )
  const slow = `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const post = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
  const faults: [title: string, bytes: string, status: number][] = [
    ['garbage', 'garbage\r\n\r\n', 400],
    ['100 kB of garbage', `garbage\r\n\r\n${'x'.repeat(100_000)}`, 400],
    ['headers that are too large', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['two lengths', `${post}Content-Length: 29\r\nTransfer-Encoding: chunked\r\n\r\n${PET}`, 400],
    ['a bad chunk', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
    ['a good chunk and a bad one', `${post}Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\nzz\r\n`, 400],
    ['CONNECT', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['an unknown expectation', `${post}Expect: bogus\r\nContent-Length: 29\r\n\r\n`, 417],
    ['another transfer coding', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 501],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400]
  ]
  const prefixes: [title: string, bytes: string, statuses: number[]][] = [
    ['a slow request', slow, [200]],
    ['three slow requests', slow.repeat(3), [200, 200, 200]],
    ['a body and a slow request', `${post}Content-Length: 29\r\n\r\n${PET}${slow}`, [201, 200]],
    ['a refusal and a slow request', `GET /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n${slow}`, [401, 200]]
  ]
  await Promise.all(
    faults.flatMap(([title, bytes, status]) =>
      prefixes.map(async ([before, earlier, statuses]) => {
        const replies = repliesOf(await sendRaw(port, earlier + bytes))
        t.same(
          replies.map((reply) => reply.status),
          [...statuses, status],
          `${before}, then ${title}`
        )
        t.equal(faultOf(replies.at(-1)!), undefined)
      })
    )
  )
})

t.test('nothing is served behind what closed the connection', async (t) => {
  const { port, key, call } = await startService(t)
  const head = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`
  const post = `${head('POST /v1/pets')}Content-Type: application/json\r\nContent-Length: 29\r\n\r\n${PET}`
  for (const [title, bytes] of [
    ['an answer to Connection: close', `${head('GET /v1/pets')}Connection: close\r\n\r\n`],
    ['HTTP/1.0', `GET /v1/pets HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`],
    ['no Host', `GET /v1/pets HTTP/1.1\r\nAuthorization: Bearer ${key}\r\n\r\n`],
    ['another transfer coding', `${head('POST /v1/pets')}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['a body that is not JSON', `${post.replace(PET, 'x'.repeat(29))}`]
  ] as const) {
    t.equal(repliesOf(await sendRaw(port, bytes + post)).length, 1, title)
  }
  t.equal((await call('GET', '/pets')).text, '[]', 'and nothing was stored')
})

t.test('nothing is served behind what could not be read', async (t) => {
  const { port, key } = await startService(t)
  const get = `GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const smuggled = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${get.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${get}`
  for (const bytes of [
    `garbage\r\n\r\n${get}`,
    smuggled,
    `CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n${get}`,
    `GET / HTTP/1.1\r\n\r\n${get}`
  ]) {
    const replies = repliesOf(await sendRaw(port, bytes))
    t.equal(replies.length, 1)
    t.equal(replies[0]!.headers.connection, 'close')
  }
})
