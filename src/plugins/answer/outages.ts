import type { FastifyBaseLogger } from 'fastify'
import type { StorageUnavailable } from '../../domain/errors.js'

/** Milliseconds between two lines that tell how many requests have failed. */
const INTERVAL = 10_000

/**
 * Logs what fails for want of the storage, which may be every request for hours: the first one with its stack, and then
 * how many failed for the same cause.
 */
export class Outages {
  readonly #log: FastifyBaseLogger
  /** The requests that failed since the last line, by their cause. */
  readonly #counts = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  constructor (log: FastifyBaseLogger) {
    this.#log = log
  }

  /** Takes note of a request that failed, whose own logger is given. */
  note (error: StorageUnavailable, log: FastifyBaseLogger): void {
    const count = this.#counts.get(error.message)
    this.#counts.set(error.message, count === undefined ? 0 : count + 1)
    if (count === undefined) log.error({ err: error }, 'request failed')
    this.#timer ??= setInterval(() => this.tell(), INTERVAL).unref()
  }

  /** Tells how many requests have failed since it was last told; a cause of which there were none is over. */
  tell (): void {
    for (const [cause, count] of this.#counts) {
      this.#counts.set(cause, 0)
      if (count > 0) this.#log.error({ cause, count }, 'more requests failed for the same cause')
      else this.#counts.delete(cause)
    }
    if (this.#counts.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
