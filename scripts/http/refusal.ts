import { ERROR_CODES, statusOf } from '../../src/domain/errors.js'
import { parseReply, sendRaw, type RawReply } from './raw.js'

const EVERY_ANSWER: [header: string, value: RegExp][] = [
  ['x-ratelimit-limit', /^[1-9]\d*$/],
  ['x-ratelimit-remaining', /^\d+$/],
  ['x-ratelimit-reset', /^\d{10}$/],
  ['x-request-id', /^[\da-f-]{36}$/],
  ['x-content-type-options', /^nosniff$/],
  ['cache-control', /^(no-store|private, no-cache)$/],
  ['content-security-policy', /default-src 'none'/],
  ['date', /GMT$/]
]

/** Names the first header that every answer of the API has, and this one has not; undefined when it has them all. */
export function missingHeader ({ headers }: RawReply): string | undefined {
  return EVERY_ANSWER.find(([name, value]) => !value.test(headers[name] ?? ''))?.join(': ')
}

/**
 * Says what is wrong with an answer that should be a refusal; undefined when it has a status of 400 or above, a body
 * that is an Error, and the headers of every answer.
 */
export function faultOf (reply: RawReply): string | undefined {
  const { status, headers, json } = reply
  if (!(status >= 400)) return `the status is ${status}`
  const properties = Object.keys(json ?? {}).sort()
  if (properties.join() !== 'code,message,status') return `the body is ${reply.body}`
  if (json.status !== status || !ERROR_CODES.includes(json.code) || statusOf(json.code) !== status) {
    return `the body says ${reply.body}`
  }
  if (typeof json.message !== 'string' || json.message === '') return 'there is no message'
  if (headers['content-type'] !== 'application/json; charset=utf-8') {
    return `the content type is ${headers['content-type']}`
  }
  return missingHeader(reply)
}

/** A request that was sent, and how it was answered. */
export interface Exchange {
  title: string
  text: string
  reply: RawReply
  /** Milliseconds until the last byte of the answer. */
  ms: number
}

/**
 * Sends every request on a connection of its own. An address has 60 calls without a key a minute, so the clock moves on
 * between batches.
 */
export async function exchange (
  { port, clock }: { port: number; clock: { advance (milliseconds: number): void } },
  requests: [title: string, bytes: string | Uint8Array][]
): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  for (let from = 0; from < requests.length; from += 50) {
    clock.advance(60_000)
    const batch = requests.slice(from, from + 50)
    exchanges.push(...(await Promise.all(batch.map(([title, bytes]) => exchangeOne(port, title, bytes)))))
  }
  return exchanges
}

async function exchangeOne (port: number, title: string, bytes: string | Uint8Array): Promise<Exchange> {
  const start = performance.now()
  let ms = Infinity
  const onData = () => {
    ms = performance.now() - start
  }
  const text = await sendRaw(port, bytes, { onData })
  return { title, text, reply: parseReply(text), ms }
}
