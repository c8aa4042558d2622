import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Storage } from '../storage/open.js'
import { logTaken } from './log.js'

/**
 * How long a stop may take once the server closes, in milliseconds, before the process ends anyway. The wait for the
 * reader of the log comes after.
 */
const LAST_RESORT = 15_000
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

/**
 * Ends the process on SIGTERM, SIGINT and SIGHUP, with this exit code: at once, or when the promise of `finish` has
 * resolved. A second signal does not end it sooner.
 */
export function exitOnSignals (exitCode = 0, finish?: () => Promise<void>): void {
  const exit = (): never => process.exit(exitCode)
  for (const signal of SIGNALS) process.on(signal, finish ? () => finish().then(exit) : exit)
}

/**
 * Stops a server on SIGTERM, SIGINT and SIGHUP: it is not ready any more, waits, stops listening, finishes what is
 * under way, closes the storage, waits for the reader of its log and exits with 0, or with 1 when it could not be
 * stopped well. A second signal exits with 1 at once. A fault that nothing caught leaves the process in an unknown
 * state: it is logged and stops the server, and the exit code is 1. Gives the function that takes all this back, for a
 * server that fails to start.
 */
export function stopOnSignals ({ app, storage, lifecycle, drainDelay }: StopOptions): () => void {
  let exitCode = 0
  const begin = async (): Promise<void> => {
    if (lifecycle.draining) return
    lifecycle.draining = true
    const lastResort = setTimeout(() => process.exit(1), drainDelay + LAST_RESORT).unref()
    await stop().catch((error: unknown) => {
      exitCode = 1
      app.log.fatal({ err: error }, 'the server could not be stopped')
    })
    clearTimeout(lastResort)
    await logTaken()
    process.exit(exitCode)
  }
  const stop = async (): Promise<void> => {
    await sleep(drainDelay)
    await app.close()
    await storage.close().catch((error: unknown) => {
      app.log.error({ err: error }, 'the counts of the limits were not kept')
      exitCode = 1
    })
    app.log.info('stopped')
  }
  const fail = (error: unknown): void => {
    exitCode = 1
    app.log.fatal({ err: error }, 'a fault that nothing caught; stopping')
    begin()
  }
  let signalled = false
  let interrupted = -Infinity
  const onSignal = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGINT') {
      const before = interrupted
      interrupted = performance.now()
      if (interrupted - before < SAME_PRESS) return
    }
    if (signalled) process.exit(1)
    signalled = true
    app.log.info({ signal }, 'stopping')
    begin()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  for (const fault of FAULTS) process.on(fault, fail)
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal)
    for (const fault of FAULTS) process.off(fault, fail)
  }
}
