import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../../domain/errors.js'
import { headersOfRefusal } from '../malformed.js'
import type { Listener } from '../turns.js'

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

interface Held {
  request: IncomingMessage
  response: ServerResponse
  /** By the clock of `performance`. */
  until: number
}

/**
 * Refuses requests early. A client that comes again sooner than it was asked to is held until then, since thousands of
 * refusals would leave no time to serve anybody.
 */
export class Refusals {
  readonly counts: RefusalCounts = { wait: 0, under_way: 0 }
  readonly #app: FastifyInstance
  /** Until when clients are asked to wait, the first to be refused first. */
  readonly #askedToWait = new Map<string, number>()
  #held: Held[] = []

  constructor (app: FastifyInstance) {
    this.#app = app
  }

  /** Refuses a request at once, or holds it where its client was asked to wait. */
  refuse (request: IncomingMessage, response: ServerResponse, reason: Reason): void {
    const until = this.#askedToWait.get(this.#clientOf(request)) ?? 0
    if (until > performance.now()) this.#held.push({ request, response, until })
    else this.#write(request, response, reason)
  }

  /**
   * Serves what is held when there is no reason any more to refuse it. Otherwise refuses what was held long enough: one
   * request of each connection, as a client may have sent thousands behind one another.
   */
  release (serve: Listener, reason: Reason | undefined): void {
    const now = performance.now()
    this.#forget(now)
    const refused = new Set<Socket>()
    const held = this.#held
    this.#held = []
    for (const one of held) {
      const { request, response, until } = one
      const { socket } = request
      if (!socket.writable) continue
      if (reason === undefined) serve(request, response)
      else if (until > now) this.#held.push(one)
      else if (refused.has(socket)) this.#held.push({ ...one, until: waitFrom(now) })
      else {
        refused.add(socket)
        this.#write(request, response, reason)
      }
    }
  }

  #write (request: IncomingMessage, response: ServerResponse, reason: Reason): void {
    this.counts[reason]++
    const client = this.#clientOf(request)
    this.#askedToWait.delete(client)
    this.#askedToWait.set(client, waitFrom(performance.now()))
    const error = new ApiError('unavailable', 'The service has too much to do.', { 'Retry-After': `${RETRY_AFTER}` })
    const text = JSON.stringify(error.body)
    const headers = headersOfRefusal(this.#app, error, text, this.#app.callerAddressOf(request), request.headers.origin)
    request.resume()
    // All that has arrived is read after this turn. What has not would stand before the next request.
    setImmediate(() => {
      if (!request.complete) headers.Connection = 'close'
      response.writeHead(error.statusCode, headers).end(request.method === 'HEAD' ? undefined : text)
    })
  }

  /**
   * Names who is asked to wait: whoever has the connection; where that is a trusted proxy, the client that it speaks
   * for, since the requests of others come over the same connection.
   */
  #clientOf (request: IncomingMessage): string {
    const { remoteAddress, remotePort } = request.socket
    const address = this.#app.callerAddressOf(request)
    return address === remoteAddress ? `${address} ${remotePort}` : `${address}`
  }

  /** Forgets who need not wait any more. */
  #forget (now: number): void {
    for (const [client, until] of this.#askedToWait) {
      if (until > now) break
      this.#askedToWait.delete(client)
    }
  }
}

function waitFrom (now: number): number {
  return now + RETRY_AFTER * 1000
}
