import type { FastifyBaseLogger } from 'fastify'

type Line = [fields: object, message?: string]

/**
 * The logger of a request, whose lines name it. It is made of the logger of the app when the first line is written:
 * most requests have none but that of their answer, which needs no logger of its own.
 */
export class RequestLogger implements Omit<FastifyBaseLogger, 'level'> {
  readonly #make: () => FastifyBaseLogger
  #made: FastifyBaseLogger | undefined

  constructor (make: () => FastifyBaseLogger) {
    this.#make = make
  }

  get #logger (): FastifyBaseLogger {
    return (this.#made ??= this.#make())
  }

  get level (): string {
    return this.#logger.level
  }

  child (...given: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#logger.child(...given)
  }

  fatal (...line: unknown[]): void {
    this.#logger.fatal(...(line as Line))
  }

  error (...line: unknown[]): void {
    this.#logger.error(...(line as Line))
  }

  warn (...line: unknown[]): void {
    this.#logger.warn(...(line as Line))
  }

  info (...line: unknown[]): void {
    this.#logger.info(...(line as Line))
  }

  debug (...line: unknown[]): void {
    this.#logger.debug(...(line as Line))
  }

  trace (...line: unknown[]): void {
    this.#logger.trace(...(line as Line))
  }

  silent (...line: unknown[]): void {
    this.#logger.silent(...(line as Line))
  }
}
