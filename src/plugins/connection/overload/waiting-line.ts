import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request that waits for its turn, and since when, by the clock of `performance`. */
export interface Waiting {
  request: IncomingMessage
  response: ServerResponse
  since: number
}

/** Requests that wait for their turn, the first to come being the first to go. */
export class WaitingLine {
  #arriving: Waiting[] = []
  #leaving: Waiting[] = []

  get first (): Waiting | undefined {
    return this.#leaving.at(-1) ?? this.#arriving[0]
  }

  /** How many wait, and those whose clients have left since. */
  get length (): number {
    return this.#arriving.length + this.#leaving.length
  }

  add (waiting: Waiting): void {
    this.#arriving.push(waiting)
  }

  /** Takes the first whose client is still there; undefined when there is none. */
  take (): Waiting | undefined {
    for (let next = this.#next(); next; next = this.#next()) if (next.request.socket.writable) return next
    return undefined
  }

  #next (): Waiting | undefined {
    if (this.#leaving.length === 0) {
      this.#leaving = this.#arriving.reverse()
      this.#arriving = []
    }
    return this.#leaving.pop()
  }
}
