import type { Socket } from 'node:net'
import fp from 'fastify-plugin'
import { hasToSend, waitingAnswers } from './answer-queue.js'
import { unsentBytes } from './node-internals.js'

export interface UntakenOptions {
  /** How long a client may take nothing of its answers, in milliseconds. */
  patience: number
  /** How often that is looked at, in milliseconds. */
  interval: number
}

declare module 'fastify' {
  interface FastifyInstance {
    /** What clients have not taken. */
    untaken: {
      /** What is held in memory for all of them, as it was last looked at. */
      readonly bytes: number
      /** The connections that were cut off since the start. */
      cut: number
      /** The connections that ended before all of their answers were taken, those that were cut off among them. */
      abandoned: number
    }
  }
}

/** What may be held in memory for clients that have not taken it, for all of them together, in bytes. */
const MOST_HELD = 96 * 2 ** 20
/** How often an answer is in memory until it is taken: by itself, behind its header, and as the system is given it. */
const COPIES = 3
/** An answer of this size, in characters or bytes, is looked at at once and not at the next look at all connections. */
const LARGE = 16 * 2 ** 10
/** What a request that waits for the answers before it takes in memory, in bytes, about. */
const WAITING_REQUEST = 4 * 2 ** 10

interface Held {
  bytes: number
  /** What there was to send, and how many requests waited, when it was last looked at. */
  unsent: number
  waiting: number
  /** When anything was last taken, by the clock of `performance`. */
  since: number
  hasTaken: boolean
}

/**
 * Bounds what is held in memory for clients that do not take their answers. Of each connection that is one answer and
 * the requests that have arrived behind it, since nothing more is read or served before it is taken. A client that
 * takes nothing for a while is cut off; so are those that have taken nothing for the longest time, when there is too
 * much for all.
 */
export const untaken = fp<UntakenOptions>(
  async (app, { patience, interval }) => {
    const connections = new Set<Socket>()
    /** What is held of each connection, as it was last looked at. */
    const held = new Map<Socket, Held>()
    let total = 0
    let cut = 0
    const counts: typeof app.untaken = {
      get bytes () {
        return total
      },
      cut: 0,
      abandoned: 0
    }
    app.decorate('untaken', counts)

    const forget = (socket: Socket): void => {
      total -= held.get(socket)?.bytes ?? 0
      held.delete(socket)
    }
    const lookAt = (socket: Socket): void => {
      const before = held.get(socket)
      const waiting = waitingAnswers(socket)
      const bytes = COPIES * socket.writableLength + waiting * WAITING_REQUEST
      forget(socket)
      if (bytes === 0 || socket.destroyed) return
      const unsent = unsentBytes(socket)
      const isTaking = before && (unsent !== before.unsent || waiting !== before.waiting)
      const since = before && !isTaking ? before.since : performance.now()
      held.set(socket, { bytes, unsent, waiting, since, hasTaken: isTaking || before?.hasTaken === true })
      total += bytes
    }
    const cutOff = (socket: Socket): void => {
      forget(socket)
      // A reset, since the system would go on to hold what it has taken for the client.
      socket.resetAndDestroy()
      cut++
      counts.cut++
    }
    const keepBound = (): void => {
      if (total <= MOST_HELD) return
      for (const socket of [...held.keys()]) lookAt(socket)
      const worst = [...held].sort(
        ([, one], [, other]) => Number(one.hasTaken) - Number(other.hasTaken) || one.since - other.since
      )
      for (const [socket] of worst) if (total > MOST_HELD) cutOff(socket)
    }

    app.server.on('connection', (socket: Socket) => {
      connections.add(socket)
      socket.once('close', () => {
        if (hasToSend(socket)) counts.abandoned++
        connections.delete(socket)
        forget(socket)
      })
    })
    app.addHook('onSend', ({ raw }, _reply, payload, done) => {
      const { length = 0 } = (payload ?? {}) as { length?: number }
      if (length > LARGE) {
        setImmediate(() => {
          lookAt(raw.socket)
          keepBound()
        })
      }
      done()
    })
    const timer = setInterval(() => {
      for (const socket of connections) lookAt(socket)
      const latest = performance.now() - patience
      for (const [socket, { since }] of held) if (since <= latest) cutOff(socket)
      keepBound()
      if (cut > 0) app.log.warn({ connections: cut }, 'connections were cut whose clients did not take their answers')
      cut = 0
    }, interval).unref()
    app.addHook('onClose', async () => clearInterval(timer))
  },
  { name: 'untaken' }
)
