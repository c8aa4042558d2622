/** Prints the outcome of each case of a script as a line of figures, and counts them. */
export class Report {
  #passed = 0
  #failed = 0

  add (name: string, holds: boolean, figures: string): void {
    holds ? this.#passed++ : this.#failed++
    console.log(`${holds ? 'ok  ' : 'FAIL'} ${name}: ${figures}`)
  }

  /** Prints 'N passed, N failed' and gives the exit code. */
  end (): number {
    console.log(`${this.#passed} passed, ${this.#failed} failed`)
    return this.#failed > 0 ? 1 : 0
  }
}
