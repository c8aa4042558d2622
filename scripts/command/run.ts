import type { Lifetime } from './lifetime.js'
import { processTreeOf, signalAll } from './process-tree.js'
import { clearProgress } from './progress.js'

/**
 * Runs the work of a script, then ends what it started, newest first, and the process: with the exit code that the work
 * gave, or 1 when it failed. SIGINT and SIGTERM end all of it at once, with the exit code `interrupted`.
 */
export async function runToTheEnd (
  work: (lifetime: Lifetime) => Promise<number>,
  { interrupted = 1 } = {}
): Promise<never> {
  const ends: (() => unknown)[] = []
  let ending: Promise<void> | undefined
  const endAll = (): Promise<void> =>
    (ending ??= (async () => {
      for (let end = ends.shift(); end; end = ends.shift()) {
        // What cannot be ended keeps nothing else from its end.
        try {
          await end()
        } catch (error) {
          console.error(error)
        }
      }
    })())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      clearProgress()
      endAll().finally(() => {
        // What was just being started is nobody's yet.
        signalAll(processTreeOf(process.pid).slice(1), 'SIGKILL')
        process.exit(interrupted)
      })
    })
  }
  let code = 1
  try {
    code = await work({
      teardown: (end) => {
        ends.unshift(end)
      }
    })
  } catch (error) {
    // What a signal ended under the work is no fault of it.
    if (ending) return await new Promise(() => {})
    clearProgress()
    console.error(error)
  }
  await endAll()
  process.exit(code)
}
