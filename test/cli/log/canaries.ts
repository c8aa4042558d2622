import type { Test } from 'tap'
import { sendRaw } from '../../../scripts/http/raw.js'
import { newSecret } from '../../../src/domain/api-keys.js'

/** Gives the secrets that nobody may find again, a new one at each call, and all of them so far. */
export function canaryCage (first: string) {
  const secrets = [first]
  const canary = (): string => secrets[secrets.push(newSecret(secrets.length % 2 ? 'live' : 'test')) - 1]!
  return { secrets, canary }
}

const encoded = (text: string, times: number): string =>
  times === 0 ? text : encoded([...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join(''), times - 1)

/** The lines that a request begins with, a canary in each place of them that may hold one. */
function headsWith (canary: () => string, valid: string): string[] {
  return [
    `GET /v1/pets HTTP/1.1\r\nAuthorization: Bearer ${canary()}`,
    `GET /v1/pets HTTP/1.1\r\nAuthorization: Bearer ${canary().slice(0, -1)}`,
    `GET /v1/pets HTTP/1.1\r\nAuthorization: Basic ${canary()}`,
    `GET /v1/pets HTTP/1.1\r\nAuthorization: Bearer ${canary()}\r\nAuthorization: Bearer ${canary()}`,
    `GET /v1/pets?api_key=${canary()} HTTP/1.1\r\nAuthorization: Bearer ${valid}`,
    `GET /v1/pets?${canary()} HTTP/1.1\r\nAuthorization: Bearer ${valid}`,
    `GET /v1/pets?cursor=${canary()} HTTP/1.1\r\nAuthorization: Bearer ${valid}`,
    `GET /v1/pets;key=${canary()} HTTP/1.1\r\nAuthorization: Bearer ${valid}`,
    ...[0, 1, 2].map(
      (times) => `GET /v1/pets/${encoded(canary(), times)} HTTP/1.1\r\nAuthorization: Bearer ${valid}`
    ),
    ...[0, 1, 2].map((times) => `GET /${encoded(canary(), times)} HTTP/1.1`),
    `GET /v1/pets/${canary()}%zz HTTP/1.1\r\nAuthorization: Bearer ${valid}`,
    `GET /docs/${canary()} HTTP/1.1`,
    `GET http://${canary()}/v1/pets HTTP/1.1`,
    `${canary()} /v1/pets HTTP/1.1`,
    `GET /v1/pets HTTP/1.1\r\nAuthorization : Bearer ${canary()}`,
    `GET /v1/pets HTTP/1.1\r\nAuthorization: Bearer ${canary()}\u0001`,
    `GET /v1/pets HTTP/1.1\r\nContent-Length: ${canary()}`,
    `GET /v1/pets HTTP/1.1\r\nTransfer-Encoding: ${canary()}`,
    `GET /v1/pets HTTP/1.1\r\n${canary()}`,
    `GET /v1/pets HTTP/1.1\r\nAccept-Version: ${canary()}\r\nX-Request-Id: ${canary()}\r\nCookie: key=${canary()}\r\nX-Forwarded-For: ${canary()}\r\nReferer: https://a.example/?key=${canary()}\r\nUser-Agent: ${canary()}`,
    `GET /v1/pets HTTP/1.1\r\nExpect: ${canary()}`,
    `CONNECT ${canary()}:443 HTTP/1.1`,
    `POST /v1/pets HTTP/1.1\r\nContent-Type: ${canary()}\r\nContent-Length: 2\r\nAuthorization: Bearer ${valid}`
  ]
}

/** The bodies that hold a secret, each in another place. */
const BODIES: ((secret: string) => string)[] = [
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

/** Sends a canary in every place of a request where a caller may put one, each in a request of its own. */
export async function sendCanaries (t: Test, root: string, valid: string, canary: () => string): Promise<void> {
  const port = Number(new URL(root).port)
  for (const head of headsWith(canary, valid)) {
    await sendRaw(port, `${head}\r\nHost: a\r\nConnection: close\r\n\r\n`, { silence: 500 })
  }
  for (const body of BODIES) {
    const { status } = await postPet(root, valid, body(canary()))
    t.equal(status, 400)
  }
  const { status } = await postPet(root, valid, '{"name":"Rex","categoryId":1}', { 'idempotency-key': canary() })
  t.equal(status, 201)
}

function postPet (root: string, key: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${root}/v1/pets`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers }
  })
}

/** How many characters in a row of the random part of a secret give it away. */
const TELLING = 12

/** Gives all parts of a text that have so many characters. */
function partsOf (text: string, length: number): string[] {
  return Array.from({ length: Math.max(text.length - length + 1, 0) }, (_, from) => text.slice(from, from + length))
}

/**
 * Finds the secrets of which 12 characters in a row of the random part stand in a text: plain, percent-encoded, or in
 * hexadecimal, as databases write bytes.
 */
export function secretsIn (text: string, secrets: string[]): string[] {
  const owners = new Map<string, string>()
  for (const secret of secrets) {
    for (const part of partsOf(secret.slice(9), TELLING)) {
      owners.set(part, secret)
      owners.set(Buffer.from(part).toString('hex'), secret)
    }
  }
  let decoded = text
  for (let round = 0; round < 4; round++) decoded = decoded.replaceAll(/%[2-7][0-9a-f]/gi, decodeURIComponent)
  const found = new Set<string>()
  for (const [word] of decoded.matchAll(/[0-9A-Za-z]{12,}/g)) {
    for (const part of [...partsOf(word, TELLING), ...partsOf(word, 2 * TELLING)]) {
      const secret = owners.get(part)
      if (secret !== undefined) found.add(secret)
    }
  }
  return [...found]
}

/** Checks that no text shows a secret, and that each has what is known to be in it, so that the right ones are read. */
export function checkPlaces (t: Test, secrets: string[], places: Record<string, [text: string, known: string]>): void {
  for (const [place, [text, known]] of Object.entries(places)) {
    t.ok(text.includes(known), `${place}: the right text`)
    t.same(secretsIn(text, secrets), [], `${place}: no secret`)
  }
}
