import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import fp from 'fastify-plugin'
import { ApiError } from '../../domain/errors.js'
import { headersOfRefusal } from './malformed.js'
import { takeOverRequests, type Listener } from './turns.js'
import { WaitingLine } from './waiting-line.js'

export interface OverloadOptions {
  /** How long a request may wait for its turn before new ones are refused, in milliseconds. */
  wait: number
  /** How many requests that have arrived whole may be under way before new ones are refused. */
  underWay: number
}

declare module 'fastify' {
  interface FastifyInstance {
    /** How many requests were refused early since the start, by reason. */
    refusals: Refusals
  }
}

/**
 * Counts of requests that were refused early: `wait`, as the first in line had waited too long, and `under_way`, as too
 * many were under way.
 */
export interface Refusals {
  wait: number
  under_way: number
}

/** How many requests are served as they arrive before others stand in line. */
const BURST = 16
/** How long a turn of the event loop should take while others stand in line, in milliseconds. */
const TURN = 25
/** How many of the line are served in a turn, at least and at most: as many as have been seen to take that long. */
const FEWEST = 16
const MOST = 256
/** How many turns in a row may do nothing but take over connections; Node takes over one in a turn. */
const MOST_ACCEPTED = 64
/** How long a client that was refused is asked to wait, in seconds. */
const RETRY_AFTER = 1
/** How often it is looked at what is under way and who was refused, and how often that is told, in milliseconds. */
const LOOKING = 100
const TELLING = 10_000

/** What asks how the service is must hear it most of all when there is too much to do, whatever its query. */
const HEALTH = /^\/(?:healthz|readyz)(?:\?|$)/

/**
 * Serves no more in a turn of the event loop than takes some milliseconds; what else has arrived waits in line, so that
 * connections are read, and the health is told, between any two turns. When the first in line has waited too long, or
 * too many requests are under way, new ones are refused until that is over: an answer that comes too late costs as much
 * as one in time. A client that comes again sooner than it was asked to is answered only then, since thousands of
 * refusals would leave no time to serve anybody.
 *
 * What Fastify's plugin under-pressure does is less: it learns of a delay by a timer, and so when the loop has stood
 * still already.
 */
export const overload = fp<OverloadOptions>(
  async (app, { wait, underWay: mostUnderWay }) => {
    const serve = takeOverRequests(app.server)
    const line = new WaitingLine()
    let burst = 0
    let isLate = false
    let areTooMany = false
    let hasAccepted = false
    let accepted = 0
    let share = FEWEST
    let began = -Infinity

    const serveShare = (): void => {
      if (hasAccepted && accepted < MOST_ACCEPTED) {
        accepted++
        hasAccepted = false
        setImmediate(serveShare)
        return
      }
      accepted = 0
      const now = performance.now()
      share = now - began > TURN ? Math.max(FEWEST, share / 2) : Math.min(MOST, share + FEWEST)
      began = now
      for (let count = 0; count < share; count++) {
        const next = line.take()
        if (!next) break
        serve(next.request, next.response)
      }
      const { first } = line
      // After a long wait for the disk, a few that have waited as long are served in the next turn all the same.
      isLate = first !== undefined && now - first.since >= wait && line.length > share
      if (first) setImmediate(serveShare)
      else {
        burst = 0
        began = -Infinity
      }
    }
    const standInLine: Listener = (request, response) => {
      if (line.first === undefined) setImmediate(serveShare)
      line.add({ request, response, since: performance.now() })
    }

    const refusals: Refusals = { wait: 0, under_way: 0 }
    app.decorate('refusals', refusals)
    /** Until when the clients that were refused are asked to wait, and what they have sent again before. */
    const askedToWait = new WeakMap<Socket, number>()
    let early: [request: IncomingMessage, response: ServerResponse][] = []
    const refuse: Listener = (request, response) => {
      const now = performance.now()
      const { socket } = request
      if ((askedToWait.get(socket) ?? 0) > now) {
        early.push([request, response])
        return
      }
      askedToWait.set(socket, now + RETRY_AFTER * 1000)
      refusals[areTooMany ? 'under_way' : 'wait']++
      const error = new ApiError('unavailable', 'The service has too much to do.', { 'Retry-After': `${RETRY_AFTER}` })
      const text = JSON.stringify(error.body)
      const headers = headersOfRefusal(app, error, text, socket.remoteAddress, request.headers.origin)
      request.resume()
      // All that has arrived is read after this turn. What has not would stand before the next request.
      setImmediate(() => {
        if (!request.complete) headers.Connection = 'close'
        response.writeHead(error.statusCode, headers).end(request.method === 'HEAD' ? undefined : text)
      })
    }
    const answer: Listener = (request, response) => {
      if (isLate || areTooMany) refuse(request, response)
      else standInLine(request, response)
    }

    app.server.on('connection', () => {
      hasAccepted = true
    })
    app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (burst < BURST && !areTooMany) {
        burst++
        serve(request, response)
      } else if (HEALTH.test(request.url!)) serve(request, response)
      else answer(request, response)
    })

    const looking = setInterval(() => {
      const { underWay } = app
      // Those whose bodies are still arriving cost nothing yet, and anybody could send a thousand of them.
      areTooMany =
        underWay.count >= mostUnderWay &&
        underWay.list().filter(({ request }) => request.raw.complete).length >= mostUnderWay
      const again = early
      early = []
      for (const [request, response] of again) if (request.socket.writable) answer(request, response)
    }, LOOKING).unref()
    let told = 0
    const telling = setInterval(() => {
      const all = refusals.wait + refusals.under_way
      if (all > told) app.log.warn({ requests: all - told }, 'refused new requests, as there was too much to do')
      told = all
    }, TELLING).unref()
    app.server.once('close', () => {
      clearInterval(looking)
      clearInterval(telling)
    })
  },
  { name: 'overload' }
)
