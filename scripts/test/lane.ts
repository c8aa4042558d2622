import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { failuresIn, isComment, readEndOfFile, type Counts } from './report.js'

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url))

/** How long one file may take, in milliseconds: ten times what any of them needs. */
const LIMIT = 600_000

export interface Result extends Counts {
  /** Lines that tell what failed. */
  failures: string[]
  /** What the tests said of themselves. */
  comments: string[]
  /** How long it took, in milliseconds. */
  time: number
}

interface Process {
  child: ChildProcess
  /** The lines of TAP that it prints. */
  lines: AsyncIterator<string>
}

let processes = 0

/** Runs test files one after the other in a process of its own, or in another one when that ends before its time. */
export class Lane {
  readonly #environment: Record<string, string>
  #process: Process | undefined

  /** Starts the process, which gets these variables besides those of this process. */
  constructor (environment: Record<string, string> = {}) {
    this.#environment = environment
    this.#process = startProcess(environment)
  }

  async run (path: string): Promise<Result> {
    const start = performance.now()
    return { ...(await this.#run(path)), time: performance.now() - start }
  }

  async #run (path: string): Promise<Omit<Result, 'time'>> {
    this.#process ??= startProcess(this.#environment)
    const { child, lines } = this.#process
    child.stdin!.write(`${path}\n`)
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT)
    const tap: string[] = []
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      const counts = readEndOfFile(line.value)
      if (counts) {
        clearTimeout(limit)
        const { assertions, failed } = counts
        if (failed > 0 || assertions === 0) this.#giveUp()
        if (assertions === 0) return failure(tap, `${path} asserts nothing, or a file before it has ended the tests.`)
        return { ...counts, failures: failed > 0 ? failuresIn(tap) : [], comments: tap.filter(isComment) }
      }
      tap.push(line.value)
    }
    clearTimeout(limit)
    await hasEnded(child)
    this.#process = undefined
    return failure(tap, `The process ended with ${child.signalCode ?? child.exitCode} before the tests did.`)
  }

  /** Ends the process without a word. After some failures tap runs nothing more in it, and counts none of that. */
  #giveUp (): void {
    this.#process?.child.kill('SIGKILL')
    this.#process = undefined
  }

  /** Ends the process. It rejects when that fails behind files that have passed, as by a promise that they left. */
  async end (): Promise<void> {
    const { child } = this.#process ?? {}
    this.#process = undefined
    if (!child) return
    child.stdin!.end()
    await hasEnded(child)
    if (child.exitCode !== 0) throw new Error(`A process ended with ${child.exitCode} after its tests had passed.`)
  }
}

async function hasEnded (child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

function failure (tap: string[], reason: string): Omit<Result, 'time'> {
  return { assertions: 1, failed: 1, skipped: 0, failures: [...tap.slice(-20), reason], comments: [] }
}

function startProcess (environment: Record<string, string>): Process {
  // Tests make their folders under the name that stands behind the worker.
  const child = spawn(process.execPath, ['--import=tsx', WORKER, String(++processes)], {
    env: { ...process.env, TAP_TIMEOUT: '0', ...environment },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  // Told to a process that has ended, which the end of its lines says as well.
  child.stdin.on('error', () => {})
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
}
