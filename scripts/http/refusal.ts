import { ERROR_CODES, statusOf } from '../../src/domain/errors.js'
import { parseReply, sendRaw, type RawReply } from './raw.js'
import type { Service } from '../../test/support/service.js'

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

/** What an answer lacks of the headers that every answer of the API has; undefined when it lacks none. */
export function lackOf ({ headers }: RawReply): string | undefined {
  return EVERY_ANSWER.find(([name, value]) => !value.test(headers[name] ?? ''))?.join(': ')
}

/** What is wrong with an answer of 400 or above; undefined when it is an Error with the headers of every answer. */
export function faultOf (reply: RawReply): string | undefined {
  const { status, headers, json } = reply
  if (!(status >= 400)) return `the status is ${status}`
  if (
    Object.keys(json ?? {})
      .sort()
      .join() !== 'code,message,status'
  ) {
    return `the body is ${reply.body}`
  }
  if (json.status !== status || !ERROR_CODES.includes(json.code) || statusOf(json.code) !== status) {
    return `the body says ${reply.body}`
  }
  if (typeof json.message !== 'string' || json.message === '') return 'there is no message'
  if (headers['content-type'] !== 'application/json; charset=utf-8') {
    return `the content type is ${headers['content-type']}`
  }
  return lackOf(reply)
}

/** `ms`: until the last byte of the answer. */
export interface Exchange {
  title: string
  text: string
  reply: RawReply
  ms: number
}

/**
 * Sends every request on a connection of its own. An address has 60 calls without a key a minute, so the clock moves on
 * between batches.
 */
export async function exchange (
  { port, clock }: Service,
  requests: [title: string, bytes: string | Uint8Array][]
): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  for (let from = 0; from < requests.length; from += 50) {
    clock.advance(60_000)
    exchanges.push(
      ...(await Promise.all(
        requests.slice(from, from + 50).map(async ([title, bytes]) => {
          const start = performance.now()
          let ms = Infinity
          const text = await sendRaw(port, bytes, {
            onData: () => {
              ms = performance.now() - start
            }
          })
          return { title, text, reply: parseReply(text), ms }
        })
      ))
    )
  }
  return exchanges
}
