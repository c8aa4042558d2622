import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startProgram } from '../../scripts/cluster/program.js'
import { sendRaw } from '../../scripts/http/raw.js'
import { newSecret } from '../../src/domain/api-keys.js'
import { runInProcess } from './in-process.js'

const encoded = (text: string, times: number): string =>
  times === 0 ? text : encoded([...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join(''), times - 1)

/** Whether 12 characters in a row of the random part of a secret stand in a text, plain or percent-encoded. */
function shows (text: string, secret: string): boolean {
  const random = secret.slice(9)
  let plain = text
  for (let round = 0; round < 4; round++) plain = plain.replaceAll(/%[2-7][0-9a-f]/gi, decodeURIComponent)
  return Array.from({ length: random.length - 11 }, (_, from) => random.slice(from, from + 12)).some((part) =>
    plain.includes(part)
  )
}

t.test(
  'no key that a caller sends stands in the output at LOG_LEVEL=trace, in the database or in its log, wherever it was sent',
  async (t) => {
    const path = join(t.testdir(), 'petstore.db')
    const database = { DATABASE_URL: `sqlite:${path}` }
    const { key: valid } = JSON.parse(
      (await runInProcess(['keys', 'create', '--plan', 'business', '--json'], database)).stdout
    )
    const server = await startProgram(t, { ...database, LOG_LEVEL: 'trace' })
    const port = Number(new URL(server.root).port)
    const canaries: string[] = [valid]
    const canary = (): string => canaries[canaries.push(newSecret(canaries.length % 2 ? 'live' : 'test')) - 1]!

    const lines: (() => string)[] = [
      () => `GET /v1/pets HTTP/1.1\r\nAuthorization: Bearer ${canary()}`,
      () => `GET /v1/pets HTTP/1.1\r\nAuthorization: Bearer ${canary().slice(0, -1)}`,
      () => `GET /v1/pets HTTP/1.1\r\nAuthorization: Basic ${canary()}`,
      () => `GET /v1/pets HTTP/1.1\r\nAuthorization: Bearer ${canary()}\r\nAuthorization: Bearer ${canary()}`,
      () => `GET /v1/pets?api_key=${canary()} HTTP/1.1\r\nAuthorization: Bearer ${valid}`,
      () => `GET /v1/pets?${canary()} HTTP/1.1\r\nAuthorization: Bearer ${valid}`,
      () => `GET /v1/pets?cursor=${canary()} HTTP/1.1\r\nAuthorization: Bearer ${valid}`,
      () => `GET /v1/pets;key=${canary()} HTTP/1.1\r\nAuthorization: Bearer ${valid}`,
      ...[0, 1, 2].map(
        (times) => () => `GET /v1/pets/${encoded(canary(), times)} HTTP/1.1\r\nAuthorization: Bearer ${valid}`
      ),
      ...[0, 1, 2].map((times) => () => `GET /${encoded(canary(), times)} HTTP/1.1`),
      () => `GET /v1/pets/${canary()}%zz HTTP/1.1\r\nAuthorization: Bearer ${valid}`,
      () => `GET /docs/${canary()} HTTP/1.1`,
      () => `GET http://${canary()}/v1/pets HTTP/1.1`,
      () => `${canary()} /v1/pets HTTP/1.1`,
      () => `GET /v1/pets HTTP/1.1\r\nAuthorization : Bearer ${canary()}`,
      () => `GET /v1/pets HTTP/1.1\r\nAuthorization: Bearer ${canary()}\u0001`,
      () => `GET /v1/pets HTTP/1.1\r\nContent-Length: ${canary()}`,
      () => `GET /v1/pets HTTP/1.1\r\nTransfer-Encoding: ${canary()}`,
      () => `GET /v1/pets HTTP/1.1\r\n${canary()}`,
      () =>
        `GET /v1/pets HTTP/1.1\r\nAccept-Version: ${canary()}\r\nX-Request-Id: ${canary()}\r\nCookie: key=${canary()}\r\nX-Forwarded-For: ${canary()}\r\nReferer: https://a.example/?key=${canary()}\r\nUser-Agent: ${canary()}`,
      () => `GET /v1/pets HTTP/1.1\r\nExpect: ${canary()}`,
      () => `CONNECT ${canary()}:443 HTTP/1.1`,
      () => `POST /v1/pets HTTP/1.1\r\nContent-Type: ${canary()}\r\nContent-Length: 2\r\nAuthorization: Bearer ${valid}`
    ]
    const bodies: ((secret: string) => string)[] = [
      (secret) => secret,
      (secret) => `{"name":"Rex","categoryId":1,"${secret}":1}`,
      (secret) => `{"name":"Rex","categoryId":"${secret}"}`,
      (secret) => `{"name":"Rex","categoryId":1,"status":"${secret}"}`,
      (secret) => `{"name":"Rex","categoryId":${secret}}`,
      (secret) => `{"name":"Rex" ${secret}`,
      (secret) => `["${secret}"`,
      (secret) => `{"${secret}":1,"${secret}":2}`,
      (secret) => `{"__proto__":"${secret}"}`,
      (secret) => `"${secret.slice(4)}"x`
    ]
    for (const line of lines) await sendRaw(port, `${line()}\r\nHost: a\r\nConnection: close\r\n\r\n`, { silence: 500 })
    for (const body of bodies) {
      const { status } = await fetch(`${server.root}/v1/pets`, {
        method: 'POST',
        body: body(canary()),
        headers: { authorization: `Bearer ${valid}`, 'content-type': 'application/json' }
      })
      t.equal(status, 400)
    }
    const { status } = await fetch(`${server.root}/v1/pets`, {
      method: 'POST',
      body: '{"name":"Rex","categoryId":1}',
      headers: { authorization: `Bearer ${valid}`, 'content-type': 'application/json' }
    })
    t.equal(status, 201)
    const wal = readFileSync(`${path}-wal`, 'latin1')
    t.equal(await server.stop(), 0)

    const written = { stdout: server.stdout(), stderr: server.stderr(), database: readFileSync(path, 'latin1'), wal }
    t.ok(
      written.wal.includes('Rex') && written.stdout.includes('"status":201'),
      'the places that are searched are the right ones'
    )
    for (const [place, text] of Object.entries(written)) {
      t.same(
        canaries.filter((secret) => shows(text, secret)),
        [],
        place
      )
    }
  }
)

t.test(
  'the log is one JSON object a line on stdout, and names for each request its id, key id, operation and status',
  async (t) => {
    const database = { DATABASE_URL: `sqlite:${join(t.testdir(), 'petstore.db')}` }
    const made = JSON.parse((await runInProcess(['keys', 'create', '--json'], database)).stdout)
    const server = await startProgram(t, database)
    const { headers } = await fetch(`${server.root}/v1/pets?limit=5`, {
      headers: { authorization: `Bearer ${made.key}` }
    })
    await fetch(`${server.root}/v1/pets`)
    t.equal(await server.stop(), 0)
    const lines = server
      .stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const [first, second] = lines.filter(({ msg }) => msg === 'answered')
    t.match(first, {
      level: 30,
      time: Number,
      reqId: headers.get('x-request-id'),
      method: 'GET',
      path: '/v1/pets',
      operationId: 'listPets',
      keyId: made.id,
      address: '127.0.0.1',
      status: 200,
      ms: Number
    })
    t.match(second, { operationId: 'listPets', status: 401 })
    t.notOk('keyId' in second)
  }
)
