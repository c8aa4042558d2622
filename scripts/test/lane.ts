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
        return { ...counts, failures: counts.failed > 0 ? failuresIn(tap) : [], comments: tap.filter(isComment) }
      }
      tap.push(line.value)
    }
    clearTimeout(limit)
    await this.end()
    const end = `The process ended with ${child.signalCode ?? child.exitCode} before the tests did.`
    return { assertions: 1, failed: 1, skipped: 0, failures: [...tap.slice(-20), end], comments: [] }
  }

  async end (): Promise<void> {
    const { child } = this.#process ?? {}
    this.#process = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.stdin!.end()
    await exited
  }
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
