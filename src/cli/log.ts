import { fstatSync, writeSync } from 'node:fs'
import type { FastifyServerOptions } from 'fastify'
import { withoutSecrets } from '../domain/api-keys.js'

const STDOUT = 1
/** How long a line may wait for others to be written with, in milliseconds. */
const LINGER = 10
/** What may wait for a reader of the log that is slower than the service, in bytes. */
const LARGEST_BACKLOG = 16 * 1024 * 1024

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
    return inOneWrite((lines) => {
      try {
        writeSync(STDOUT, lines)
      } catch {}
    })
  }
  process.stdout.on('error', () => {})
  return inOneWrite((lines) => {
    if (process.stdout.writableLength < LARGEST_BACKLOG) process.stdout.write(lines)
  })
}

/** Gathers the lines of some milliseconds, so that many requests cost one write; the last go at the exit. */
function inOneWrite (write: (lines: string) => void): { write(line: string): void } {
  let lines = ''
  const flush = (): void => {
    if (lines !== '') write(lines)
    lines = ''
  }
  process.on('exit', flush)
  return {
    write (line) {
      if (lines === '') setTimeout(flush, LINGER)
      lines += line
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
