/** Which clients were asked to wait, and until when. Times are milliseconds, by the clock of `performance`. */
export class AskedToWait {
  readonly #wait: number
  /** Until when each waits, the first to be asked first. */
  readonly #until = new Map<string, number>()

  /** @param wait how long a client is asked to wait */
  constructor (wait: number) {
    this.#wait = wait
  }

  /** How many clients are remembered. Those whose wait is over are forgotten when the next one is asked. */
  get size (): number {
    return this.#until.size
  }

  /** Asks a client to wait from now on, and forgets those who need not any more. */
  ask (client: string, now: number): void {
    for (const [other, until] of this.#until) {
      if (until > now) break
      this.#until.delete(other)
    }
    // One that is asked again goes to the end, since those before it are done waiting earlier.
    this.#until.delete(client)
    this.#until.set(client, now + this.#wait)
  }

  /** Until when a client was asked to wait; 0 for one that was not. */
  untilOf (client: string): number {
    return this.#until.get(client) ?? 0
  }
}
