import { clearProgress } from './progress.js'

/** Prints the outcome of each case of a script in a line, and counts them. */
export class Report {
  #passed = 0
  #failed = 0

  /** Prints the outcome of one case, with the figures that show it and further lines below. */
  add (name: string, holds: boolean, figures: string, details: string[] = []): void {
    holds ? this.#passed++ : this.#failed++
    clearProgress()
    console.log(`${holds ? 'ok  ' : 'FAIL'} ${name}: ${figures}`)
    for (const line of details) console.log(`     ${line}`)
  }

  /** Prints 'N passed, N failed' and gives the exit code. */
  end (): number {
    clearProgress()
    console.log(`${this.#passed} passed, ${this.#failed} failed`)
    return this.#failed > 0 ? 1 : 0
  }
}
