import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../../domain/errors.js'
import { headersOfRefusal } from '../malformed.js'
import type { Listener } from '../turns.js'
import { AskedToWait } from './asked-to-wait.js'

/** How many requests got an early 503 since the start, by reason. */
export interface RefusalCounts {
  /** The first in line had waited too long for its turn. */
  wait: number
  /** Too many were under way. */
  under_way: number
}

/** Why a request gets an early 503. */
export type Reason = keyof RefusalCounts

/** How long a client that was refused is asked to wait, in seconds. */
const RETRY_AFTER = 1

/** A request that is to be refused. */
interface Refused {
  request: IncomingMessage
  response: ServerResponse
  /** Of the caller. */
  address: string | undefined
  /** Who is asked to wait. */
  client: string
}

/** One that is held before, by the clock of `performance`. */
interface Held extends Refused {
  until: number
}

/**
 * Refuses requests early. A client that comes again sooner than it was asked to is held until then, since thousands of
 * refusals would leave no time to serve anybody. Of what it sends behind one another, one request at a time comes here
 * (see `pipelining`), and so one a second.
 */
export class Refusals {
  readonly counts: RefusalCounts = { wait: 0, under_way: 0 }
  readonly #app: FastifyInstance
  readonly #askedToWait = new AskedToWait(RETRY_AFTER * 1000)
  #held: Held[] = []

  constructor (app: FastifyInstance) {
    this.#app = app
  }

  /** Refuses a request at once, or holds it where its client was asked to wait. */
  refuse (request: IncomingMessage, response: ServerResponse, reason: Reason): void {
    const address = this.#app.callerAddressOf(request)
    const refused = { request, response, address, client: clientOf(request, address) }
    const until = this.#askedToWait.untilOf(refused.client)
    if (until > performance.now()) this.#held.push({ ...refused, until })
    else this.#write(refused, reason)
  }

  /** Serves what is held when there is no reason any more to refuse it. Otherwise refuses what was held long enough. */
  release (serve: Listener, reason: Reason | undefined): void {
    const now = performance.now()
    const held = this.#held
    this.#held = []
    for (const one of held) {
      if (!one.request.socket.writable) continue
      if (reason === undefined) serve(one.request, one.response)
      else if (one.until > now) this.#held.push(one)
      else this.#write(one, reason)
    }
  }

  #write ({ request, response, address, client }: Refused, reason: Reason): void {
    this.counts[reason]++
    this.#askedToWait.ask(client, performance.now())
    const error = new ApiError('unavailable', 'The service has too much to do.', { 'Retry-After': `${RETRY_AFTER}` })
    const text = JSON.stringify(error.body)
    const headers = headersOfRefusal(this.#app, error, text, address, request.headers.origin)
    request.resume()
    // All that has arrived is read after this turn. What has not would stand before the next request.
    setImmediate(() => {
      if (!request.complete) headers.Connection = 'close'
      response.writeHead(error.statusCode, headers).end(request.method === 'HEAD' ? undefined : text)
    })
  }
}

/**
 * Names who is asked to wait: whoever has the connection; where that is a trusted proxy, the client that it speaks for,
 * since the requests of others come over the same connection.
 */
function clientOf ({ socket }: IncomingMessage, address: string | undefined): string {
  const { remoteAddress, remotePort } = socket
  return address === remoteAddress ? `${address} ${remotePort}` : `${address}`
}
