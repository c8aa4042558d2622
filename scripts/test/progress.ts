import { clearProgress, showProgress } from '../command/progress.js'
import type { TestFile } from './files.js'
import type { Result } from './lane.js'
import type { Counts } from './report.js'

/** How often the line on a terminal is written anew, in milliseconds. */
const EVERY = 500

/**
 * Shows how far the tests are: a line for each file where the output is no terminal, one line for all on a terminal.
 */
export class Progress {
  readonly counts: Counts = { assertions: 0, failed: 0, skipped: 0 }
  /** The paths of the files with a failure. */
  readonly failed: string[] = []
  readonly #files: TestFile[]
  readonly #comments: boolean
  readonly #left: Set<TestFile>
  readonly #start = performance.now()
  readonly #timer: NodeJS.Timeout

  /** With `comments`, what tests say of themselves is shown also where none failed. */
  constructor (files: TestFile[], { comments }: { comments: boolean }) {
    this.#files = files
    this.#comments = comments
    this.#left = new Set(files)
    this.#timer = setInterval(() => this.#show(), EVERY)
  }

  add (file: TestFile, { failures, comments, time, ...counts }: Result): void {
    this.#left.delete(file)
    for (const name of ['assertions', 'failed', 'skipped'] as const) this.counts[name] += counts[name]
    if (counts.failed > 0) this.failed.push(file.path)
    clearProgress()
    // What tells of a failure has the comments in it.
    const passed = this.#comments ? comments : []
    for (const line of counts.failed > 0 ? failures : passed) console.log(line)
    if (!process.stderr.isTTY || counts.failed > 0 || counts.skipped > 0) {
      console.log(`${file.path}: ${outcomeText(counts)}, ${timeText(time)} (${this.#text()})`)
    }
    this.#show()
  }

  /** Says in the end what all the files together asserted. */
  end (): void {
    clearInterval(this.#timer)
    clearProgress()
    for (const path of this.failed) console.log(`FAIL npm test -- ${path}`)
    const { assertions, failed, skipped } = this.counts
    const files = this.#files.length === 1 ? '1 file' : `${this.#files.length} files`
    const outcome = `${numberText(assertions - failed - skipped)} passed, ${failed} failed, ${skipped} skipped`
    const time = timeText(performance.now() - this.#start)
    console.log(`${numberText(assertions)} assertions in ${files}: ${outcome}; ${time}.`)
  }

  #show (): void {
    if (this.#left.size > 0) showProgress(this.#text())
  }

  #text (): string {
    const files = `${this.#files.length - this.#left.size} of ${this.#files.length} files`
    return `${files}, ${numberText(this.counts.assertions)} assertions, ${this.#timeLeft()}`
  }

  /** An estimate from the time until now, and the sizes of the files that are done and of those that are left. */
  #timeLeft (): string {
    const sizeOf = (files: Iterable<TestFile>) => [...files].reduce((sum, { size }) => sum + size, 0)
    const left = sizeOf(this.#left)
    const done = sizeOf(this.#files) - left
    const elapsed = performance.now() - this.#start
    return done === 0 ? `${timeText(elapsed)} until now` : `about ${timeText((elapsed / done) * left)} left`
  }
}

function outcomeText ({ assertions, failed, skipped }: Counts): string {
  const skips = skipped > 0 ? `, ${skipped} skipped` : ''
  return `${assertions} assertions${failed > 0 ? `, ${failed} FAILED` : ''}${skips}`
}

function numberText (number: number): string {
  return number.toLocaleString('en-US')
}

function timeText (milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
