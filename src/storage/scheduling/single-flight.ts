/**
 * Work that runs at most once at a time for each name (single flight): calls with the same name share a run and its
 * outcome.
 */
export class SingleFlight<Result, Args extends unknown[]> {
  readonly #work: (name: string, ...args: Args) => Promise<Result>
  readonly #running = new Map<string, Promise<Result>>()

  constructor (work: (name: string, ...args: Args) => Promise<Result>) {
    this.#work = work
  }

  /** Shares the run that is under way, or else begins one. */
  join (name: string, ...args: Args): Promise<Result> {
    let run = this.#running.get(name)
    if (!run) {
      run = this.#work(name, ...args).finally(() => this.#running.delete(name))
      this.#running.set(name, run)
    }
    return run
  }

  /**
   * Shares a run that begins after this call: one that is under way is waited for first. When that one fails, this
   * rejects with it.
   */
  joinNext (name: string, ...args: Args): Promise<Result> {
    const before = this.#running.get(name)
    return before ? before.then(() => this.join(name, ...args)) : this.join(name, ...args)
  }
}
