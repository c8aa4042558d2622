import { balancerLack } from './balancer.js'
import type { Lifetime } from './lifetime.js'
import { postgresLack } from './postgres.js'
import { redisLack } from './redis.js'
import { familyOf } from './server.js'

/** A whole number from 1 to 99. Ends the process with 2 when the text is another, after saying so. */
export function readCount (option: string, text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  console.error(`${option} must be a whole number from 1 to 99.`)
  process.exit(2)
}

/** Ends the process with 1 when a cluster cannot be started here, after saying what is missing. */
export function demandPrograms (): void {
  const lack = postgresLack ?? redisLack ?? balancerLack
  if (lack === undefined) return
  console.error(`${lack}. On Debian: apt-get install postgresql redis-server nginx`)
  process.exit(1)
}

/**
 * Runs the work, then ends what it started, newest first, and the process: with the exit code that the work gave, or 1
 * when it failed. A signal ends all of it at once, with the exit code for that.
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
      endAll().finally(() => {
        // What was just being started is nobody's yet.
        for (const pid of familyOf(process.pid).slice(1)) {
          try {
            process.kill(pid, 'SIGKILL')
          } catch {}
        }
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
    console.error(error)
  }
  await endAll()
  process.exit(code)
}
