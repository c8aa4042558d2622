import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Storage } from '../storage/open.js'

/** How long requests under way may take once the server stops, in milliseconds; their connections are cut then. */
const GRACE = 10_000
/** How long the rest may take after that, in milliseconds, before the process ends anyway. */
const LAST_RESORT = 5_000
/** How long after a SIGINT another one is of the same Ctrl-C, in milliseconds: npm repeats what the terminal sent. */
const SAME_PRESS = 500

export interface StopOptions {
  app: FastifyInstance
  storage: Storage
  lifecycle: { draining: boolean }
  /** Milliseconds between the signal and the end of listening. */
  drainDelay: number
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
const FAULTS = ['uncaughtException', 'unhandledRejection'] as const

/** The exit code of a program that was interrupted before its end, as a shell gives it for Ctrl-C. */
export const EXIT_INTERRUPTED = 130

/** Ends the process at once on SIGTERM, SIGINT and SIGHUP, with this exit code. */
export function exitOnSignals (exitCode = 0): void {
  for (const signal of SIGNALS) process.on(signal, () => process.exit(exitCode))
}

/**
 * Stops a server on SIGTERM, SIGINT and SIGHUP: it is not ready any more, waits, stops listening, finishes what is
 * under way, closes the storage and exits with 0. A second signal exits with 1 at once. A fault that nothing caught
 * leaves the process in an unknown state: it is logged and stops the server, and the exit code is 1. Gives the function
 * that takes all this back, for a server that fails to start.
 */
export function stopOnSignals ({ app, storage, lifecycle, drainDelay }: StopOptions): () => void {
  const stop = async (exitCode: number): Promise<void> => {
    if (lifecycle.draining) process.exit(1)
    lifecycle.draining = true
    setTimeout(() => process.exit(1), drainDelay + GRACE + LAST_RESORT).unref()
    await sleep(drainDelay)
    const idle = setInterval(() => app.server.closeIdleConnections(), 100)
    const cut = setTimeout(() => app.server.closeAllConnections(), GRACE)
    await app.close()
    clearInterval(idle)
    clearTimeout(cut)
    await storage.close().catch((error: unknown) => {
      app.log.error({ err: error }, 'the counts of the limits were not kept')
      exitCode = 1
    })
    app.log.info('stopped')
    process.exit(exitCode)
  }
  const fail = (error: unknown): void => {
    app.log.fatal({ err: error }, 'a fault that nothing caught; stopping')
    stop(1).catch(() => process.exit(1))
  }
  let interrupted = -Infinity
  const onSignal = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGINT') {
      const before = interrupted
      interrupted = performance.now()
      if (interrupted - before < SAME_PRESS) return
    }
    app.log.info({ signal }, 'stopping')
    stop(0).catch(fail)
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  for (const fault of FAULTS) process.on(fault, fail)
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal)
    for (const fault of FAULTS) process.off(fault, fail)
  }
}
