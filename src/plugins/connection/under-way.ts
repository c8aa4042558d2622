import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { refusedInstead } from './answer-queue.js'
import { writeNow } from './turns.js'

declare module 'fastify' {
  interface FastifyInstance {
    underWay: UnderWay
  }
  interface FastifyReply {
    /** Where this reply stands among those under way; -1 when it does not. */
    place: number
  }
}

/** The status, as in nginx, of a request whose connection closed before its response was sent. */
const CLIENT_CLOSED_REQUEST = 499

/** The replies to the requests that have begun and are not answered yet, in no order. */
class UnderWay {
  // An array, from the middle of which the last one fills the gap: each change of a Map or Set makes a new table in the
  // end, and those before it keep it from the quick part of the garbage collection.
  readonly #replies: FastifyReply[] = []

  /** How many there are. */
  get count (): number {
    return this.#replies.length
  }

  add (reply: FastifyReply): void {
    reply.place = this.#replies.push(reply) - 1
  }

  /** Takes a reply out; one that was taken out before stays out. */
  remove (reply: FastifyReply): void {
    const { place } = reply
    if (place === -1) return
    reply.place = -1
    const last = this.#replies.pop()!
    if (last === reply) return
    this.#replies[place] = last
    last.place = place
  }

  /** Returns them all. */
  list (): readonly FastifyReply[] {
    return [...this.#replies]
  }

  /**
   * Ends those for which something holds, and gives how many. Answers wait for the end of their turn: one that is ready
   * is written before, and what ends a request is written at once, so that none is answered twice.
   */
  endThose (isToEnd: (reply: FastifyReply) => boolean, end: (reply: FastifyReply) => void): number {
    writeNow()
    const replies = this.list().filter(isToEnd)
    for (const reply of replies) {
      this.remove(reply)
      end(reply)
    }
    writeNow()
    return replies.length
  }
}

/** Has Fastify run the `onResponse` hooks of a response whose connection closed: it waits for the end or an error. */
function fail (this: ServerResponse): void {
  // The code by which Fastify knows that a handler lost its connection.
  const error = Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
  if (this.listenerCount('error') > 0) this.emit('error', error)
}

/** Keeps the replies to the requests that are under way, for those who end them or count them. */
export const underWay = fp(
  async (app) => {
    const replies = new UnderWay()
    app.decorate('underWay', replies)
    app.decorateReply('place', -1)
    app.addHook('onRequest', (_request, reply, done) => {
      replies.add(reply)
      done()
    })
    // Not before the limits have counted the request. Where they refuse it, its body is not parsed.
    const watch = ({ raw }: FastifyReply) => (raw.destroyed ? fail.call(raw) : raw.once('close', fail))
    app.addHook('preParsing', (_request, reply, payload, done) => {
      watch(reply)
      done(null, payload)
    })
    app.addHook('onSend', (_request, reply, _payload, done) => {
      watch(reply)
      done()
    })
    app.addHook('onResponse', ({ raw }, reply, done) => {
      replies.remove(reply)
      // Node reports a response as finished even where it lost the connection in the middle of it.
      if (raw.socket.destroyed && !reply.raw.errored) {
        const refusal = refusedInstead.get(reply.raw)
        reply.code(refusal?.statusCode ?? CLIENT_CLOSED_REQUEST)
        reply.errorCode = refusal?.code
      }
      done()
    })
  },
  { name: 'under-way' }
)
