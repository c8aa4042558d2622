import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
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

/** The replies to the requests that have begun and are not answered yet, in no order. */
class UnderWay {
  // An array, from the middle of which the last one fills the gap: each change of a Map or Set makes a new table in the
  // end, and those before it keep it from the quick part of the garbage collection.
  readonly #replies: FastifyReply[] = []

  /** How many there are, and those whose clients have left since they were last looked at. */
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

  /** Gives them all, without those whose clients have left: nothing tells of the end of such a request. */
  list (): readonly FastifyReply[] {
    for (const reply of this.#replies.filter(({ raw }) => raw.destroyed)) this.remove(reply)
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
    app.addHook('onResponse', (_request, reply, done) => {
      replies.remove(reply)
      done()
    })
  },
  { name: 'under-way' }
)
