import type { FastifyServerOptions } from 'fastify'
import pretty from 'pino-pretty'
import { withoutSecrets } from '../domain/api-keys.js'

/** JSON lines on stdout, readable ones on a terminal. Of an error only what is listed here is written, and no secret in it. */
export function loggerOf (level: string): NonNullable<FastifyServerOptions['logger']> {
  const options = { level, serializers: { err: errorForLog } }
  return process.stdout.isTTY ? { ...options, stream: pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' }) } : options
}

function errorForLog (error: Error & { code?: string }): { [field: string]: unknown, type: string, message: string, stack: string } {
  return {
    type: error.name,
    code: error.code,
    message: withoutSecrets(error.message),
    stack: withoutSecrets(error.stack ?? ''),
    // A SyntaxError quotes what it could not parse, which may be half a secret.
    cause: error.cause instanceof Error && !(error.cause instanceof SyntaxError) ? errorForLog(error.cause) : undefined
  }
}
