import { fstatSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyServerOptions } from 'fastify'
import { withoutSecrets } from '../domain/api-keys.js'

const STDOUT = 1
/** How long a line may wait for others to be written with, in milliseconds. */
const LINGER = 10
/** How many bytes are written at once, at most; a line that may have more is written alone. */
const LARGEST_WRITE = 64 * 1024
/** The most bytes of UTF-8 for one in the `length` of a text: a character that counts as two there has four. */
const MOST_BYTES = 3
/** What may wait for a reader of the log that is slower than the service, in bytes. */
const LARGEST_BACKLOG = 16 * 1024 * 1024
/** How long a stop waits for that reader, in milliseconds. */
const LAST_READ = 2_000

/**
 * Gives the log of a server: JSON lines on stdout, lines for people on a terminal. Of an error only what is listed here
 * is written, and no secret in it.
 */
export async function loggerOf (level: string): Promise<NonNullable<FastifyServerOptions['logger']>> {
  const stream = process.stdout.isTTY ? await terminal() : lossyStdout()
  return { level, serializers: { err: errorForLog }, stream }
}

/** Loaded only for a terminal, so that a service starts the sooner. */
async function terminal (): Promise<{ write(line: string): void }> {
  const { linesForPeople } = await import('./terminal/log-lines.js')
  const colors = process.stdout.hasColors()
  const textOf = linesForPeople(() => ({ columns: process.stdout.columns, colors }))
  return { write: (line) => process.stdout.write(textOf(line)) }
}

/**
 * Gives a stream to stdout. Lines that stdout cannot take, on a full disk or when their reader stalls or ends, are
 * lost: the service goes on without them.
 */
function lossyStdout (): { write(line: string): void } {
  const target = fstatSync(STDOUT)
  if (!target.isFIFO() && !target.isSocket()) {
    return inOneWrite((bytes) => {
      try {
        writeSync(STDOUT, bytes)
      } catch {}
    })
  }
  process.stdout.on('error', () => {})
  return inOneWrite((bytes) => {
    // A copy, since what stdout cannot take yet waits.
    if (process.stdout.writableLength < LARGEST_BACKLOG) process.stdout.write(Buffer.from(bytes))
  })
}

/**
 * Waits until the lines so far have left the process, so that a stop loses none and cuts none: at most 2 seconds, since
 * their reader may have stalled for good.
 */
export async function logTaken (): Promise<void> {
  // The timer that sends the last lines was set before this one, for as long, so it fires before.
  await sleep(LINGER)
  if (process.stdout.writableLength === 0) return
  const taken = new Promise<void>((resolve) => process.stdout.write('', () => resolve()))
  await Promise.race([taken, sleep(LAST_READ)])
}

/**
 * Gathers the lines of some milliseconds, so that many requests cost one write; the last go at the exit. The bytes that
 * `send` is given are its own only until it returns, and it must not log.
 */
export function inOneWrite (send: (bytes: Uint8Array) => void): { write(line: string): void } {
  // Each line becomes bytes at once: the pieces of hundreds of texts that wait to be joined would outlive a collection
  // of garbage, and be read again when no cache has them any more.
  const buffer = Buffer.allocUnsafeSlow(LARGEST_WRITE)
  let length = 0
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    const bytes = buffer.subarray(0, length)
    clearTimeout(timer)
    length = 0
    if (bytes.length > 0) send(bytes)
  }
  process.on('exit', flush)
  return {
    write (line) {
      const most = MOST_BYTES * line.length
      if (most > LARGEST_WRITE - length) flush()
      if (most > LARGEST_WRITE) return send(Buffer.from(line))
      if (length === 0) timer = setTimeout(flush, LINGER)
      length += buffer.write(line, length)
    }
  }
}

function errorForLog (thrown: unknown): { [field: string]: unknown; type: string; message: string; stack: string } {
  const error: Error & { code?: string } =
    thrown instanceof Error ? thrown : new Error(`Thrown, but no error: ${String(thrown)}`)
  return {
    type: error.name,
    code: error.code,
    message: withoutSecrets(error.message),
    stack: withoutSecrets(error.stack ?? ''),
    // A SyntaxError quotes what it could not parse, which may be half a secret.
    cause: error.cause instanceof Error && !(error.cause instanceof SyntaxError) ? errorForLog(error.cause) : undefined
  }
}
