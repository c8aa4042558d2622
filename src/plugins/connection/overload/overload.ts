import type { IncomingMessage, ServerResponse } from 'node:http'
import fp from 'fastify-plugin'
import { takeOverRequests, writeNow, type Listener } from '../turns.js'
import { Refusals, type Reason, type RefusalCounts } from './refusals.js'
import { WaitingLine } from './waiting-line.js'

export interface OverloadOptions {
  /** How long a request may wait for its turn before new ones are refused, in milliseconds. */
  wait: number
  /** How many requests that have arrived whole may be under way before new ones are refused. */
  underWay: number
}

declare module 'fastify' {
  interface FastifyInstance {
    /** How many requests got an early 503 since the start, by reason. */
    refusals: RefusalCounts
  }
}

/** How long a turn of the event loop should take at most, in milliseconds. */
const TURN = 15
/** How many of the line are served in a turn, at least and at most: as many as have been seen to take that long. */
const FEWEST = 16
const MOST = 256
/** How many turns in a row may do nothing but take over connections; Node takes over one in a turn. */
const MOST_ACCEPTED = 64
/** How often it is looked at what is under way and who was refused, and how often that is told, in milliseconds. */
const LOOKING = 100
const TELLING = 10_000

/** What asks how the service is must hear it most of all when there is too much to do, whatever its query. */
const HEALTH = /^\/(?:healthz|readyz)(?:\?|$)/

/**
 * Serves no more in a turn of the event loop than takes some milliseconds; what else has arrived waits in line, so that
 * connections are read, and the health is told, between any two turns. When the first in line has waited too long, or
 * too many requests are under way, new ones are refused until that is over ({@link Refusals}): an answer that comes too
 * late costs as much as one in time.
 *
 * What Fastify's plugin under-pressure does is less: it learns of a delay by a timer, and so when the loop has stood
 * still already.
 */
export const overload = fp<OverloadOptions>(
  async (app, { wait, underWay: mostUnderWay }) => {
    const serve = takeOverRequests(app.server)
    const line = new WaitingLine()
    const refusals = new Refusals(app)
    app.decorate('refusals', refusals.counts)
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
      try {
        for (let count = 0; count < share; count++) {
          const next = line.take()
          if (!next) break
          serve(next.request, next.response)
        }
        writeNow()
      } finally {
        // Those behind one that throws are served all the same.
        const { first } = line
        // After a long wait for the disk, a few that have waited as long are served in the next turn all the same.
        isLate = first !== undefined && now - first.since >= wait && line.length > share
        if (first) setImmediate(serveShare)
        else began = -Infinity
      }
    }
    const standInLine: Listener = (request, response) => {
      if (line.first === undefined) setImmediate(serveShare)
      line.add({ request, response, since: performance.now() })
    }

    const reasonToRefuse = (): Reason | undefined => {
      if (areTooMany) return 'under_way'
      return isLate ? 'wait' : undefined
    }
    const answer: Listener = (request, response) => {
      const reason = reasonToRefuse()
      if (reason === undefined) standInLine(request, response)
      else refusals.refuse(request, response, reason)
    }

    app.server.on('connection', () => {
      hasAccepted = true
    })
    app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (HEALTH.test(request.url!)) serve(request, response)
      else answer(request, response)
    })

    const looking = setInterval(() => {
      const { underWay } = app
      // Those whose bodies are still arriving cost nothing yet, and anybody could send a thousand of them.
      areTooMany =
        underWay.count >= mostUnderWay &&
        underWay.list().filter(({ request }) => request.raw.complete).length >= mostUnderWay
      refusals.release(standInLine, reasonToRefuse())
    }, LOOKING).unref()
    let told = 0
    const tell = (): void => {
      const all = refusals.counts.wait + refusals.counts.under_way
      if (all > told) app.log.warn({ requests: all - told }, 'refused new requests, as there was too much to do')
      told = all
    }
    const telling = setInterval(tell, TELLING).unref()
    app.server.once('close', () => {
      clearInterval(looking)
      clearInterval(telling)
      tell()
    })
  },
  { name: 'overload' }
)
