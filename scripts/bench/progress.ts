/** Tells a person on a terminal what is being done, in one line that is written again and again; elsewhere nothing. */
export class Progress {
  readonly #terminal = process.stderr.isTTY === true
  readonly #started = performance.now()

  /** Says what is being done, and how much of all is done, from 0 to 1, where that is known. */
  tell (what: string, share?: number): void {
    if (!this.#terminal) return
    const elapsed = (performance.now() - this.#started) / 1000
    const done = share === undefined ? '' : `${Math.round(share * 100)} % `
    process.stderr.write(`\r\u001b[K${elapsed.toFixed(0)} s  ${done}${what}`)
  }

  /** Removes the line. */
  clear (): void {
    if (this.#terminal) process.stderr.write('\r\u001b[K')
  }
}
