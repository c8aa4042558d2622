import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Serves a request. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Takes the one listener for requests off a server and gives it, for whoever says when each request has its turn: the
 * server needs another listener then. It throws when there is none, or more than one.
 */
export function takeOverRequests (server: Server): Listener {
  const [serve, ...others] = server.listeners('request') as Listener[]
  if (!serve || others.length > 0) throw new Error('The server must have exactly one listener for its requests.')
  server.removeListener('request', serve)
  return serve
}

/** Work that waits for the next turn of the event loop; what was given first is done first. */
class LaterWork {
  readonly #slice: number
  readonly #waiting: (() => void)[] = []

  /** What takes longer than the slice, in milliseconds, goes on in the turn after that. */
  constructor (slice: number) {
    this.#slice = slice
  }

  add (work: () => void): void {
    if (this.#waiting.push(work) === 1) setImmediate(this.do)
  }

  readonly do = (): void => {
    const waiting = this.#waiting
    const end = performance.now() + this.#slice
    let done = 0
    try {
      while (done < waiting.length && (done === 0 || performance.now() < end)) waiting[done++]!()
    } finally {
      // Work that throws ends the process in the end; until then nobody waits for ever behind it.
      waiting.splice(0, done)
      if (waiting.length > 0) setImmediate(this.do)
    }
  }
}

/** A turn accepts one connection, so new ones would wait behind longer turns. */
const turns = new LaterWork(0.25)
const writes = new LaterWork(Infinity)

/** Does work in a later turn of the event loop. However much of it waits, what arrives meanwhile is not held up. */
export function takeTurn (work: () => void): void {
  turns.add(work)
}

/**
 * Writes an answer with the others of this turn of the event loop, one right behind the other: the system wakes the
 * client for an answer, and a client that went to sleep between any two would be woken for each, which costs as much
 * as the writing.
 */
export function writeTogether (write: () => void): void {
  writes.add(write)
}

/** Writes the answers that {@link writeTogether} was given and that are not written yet. */
export function writeNow (): void {
  writes.do()
}
