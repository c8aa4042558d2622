import type { Socket } from 'node:net'
import fp from 'fastify-plugin'
import { hasToSend, waitingAnswers } from './answer-queue.js'
import { unsentBytes } from './node-internals.js'
import { unparsedBytes } from './node-parser.js'

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
/** What is still held after clients were cut off, so that it is not at the bound again with the next answer. */
const LEFT_HELD = 0.9 * MOST_HELD
/** How often an answer is in memory until it is taken: by itself, behind its header, and as the system is given it. */
const COPIES = 3
/** An answer of this size, in characters or bytes, is looked at at once and not at the next look at all connections. */
const LARGE = 16 * 2 ** 10
/** What a request that waits for the answers before it takes in memory, in bytes, about. */
const WAITING_REQUEST = 4 * 2 ** 10

interface Held {
  bytes: number
  /** What there was to send, and had been, when it was last looked at. */
  unsent: number
  written: number
  /** When anything was last taken, by the clock of `performance`. */
  since: number
}

/**
 * Bounds what is held in memory for clients that do not take their answers. Of each connection that is one answer and
 * what has arrived behind its request, since nothing more is read or served before it is taken. A client that takes
 * nothing for a while is cut off; so are those that have taken nothing for the longest time, when there is too much
 * for all.
 */
export const untaken = fp<UntakenOptions>(
  async (app, { patience, interval }) => {
    const connections = new Set<Socket>()
    /** What is held of each connection; that of which nothing was taken for the longest time comes first. */
    const held = new Map<Socket, Held>()
    /** The connections to look at before the next turn of the event loop. */
    const soon = new Set<Socket>()
    let total = 0
    /** How many cut connections the log has told of. */
    let told = 0
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
      const bytes =
        COPIES * socket.writableLength + unparsedBytes(socket) + waitingAnswers(socket) * WAITING_REQUEST
      if (bytes === 0 || socket.destroyed) return forget(socket)
      const unsent = unsentBytes(socket)
      const written = socket.bytesWritten
      const before = held.get(socket)
      if (before && unsent === before.unsent && written === before.written) {
        total += bytes - before.bytes
        before.bytes = bytes
        return
      }
      forget(socket)
      held.set(socket, { bytes, unsent, written, since: performance.now() })
      total += bytes
    }
    const cutOff = (socket: Socket): void => {
      forget(socket)
      // A reset, since the system would go on to hold what it has taken for the client.
      socket.resetAndDestroy()
      counts.cut++
    }
    const keepBound = (): void => {
      if (total <= MOST_HELD) return
      // One that has taken something since it was looked at goes to the end; it is cut off only if all others were.
      for (const [socket, before] of held) {
        if (total <= LEFT_HELD) return
        lookAt(socket)
        if (held.get(socket) === before) cutOff(socket)
      }
    }
    const lookSoon = (socket: Socket): void => {
      if (soon.size === 0) {
        setImmediate(() => {
          for (const socket of soon) lookAt(socket)
          soon.clear()
          keepBound()
        })
      }
      soon.add(socket)
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
      if (length > LARGE) lookSoon(raw.socket)
      done()
    })
    const tell = (): void => {
      const cut = counts.cut - told
      told = counts.cut
      if (cut > 0) app.log.warn({ connections: cut }, 'connections were cut whose clients did not take their answers')
    }
    const timer = setInterval(() => {
      for (const socket of connections) lookAt(socket)
      const latest = performance.now() - patience
      for (const [socket, { since }] of held) if (since <= latest) cutOff(socket)
      keepBound()
      tell()
    }, interval).unref()
    app.addHook('onClose', async () => {
      clearInterval(timer)
      tell()
    })
  },
  { name: 'untaken' }
)
