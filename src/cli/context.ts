import type { Clock } from '../domain/clock.js'

/** The two streams that the program writes to, as `process` has them. */
export interface Output {
  /** Takes what was asked for. Where `columns` is set, it is a terminal that has so many. */
  stdout: { write(text: string): unknown; columns?: number }
  /** Takes everything else that a person is told. Where `isTTY` is set, it is a terminal, and shows progress too. */
  stderr: { write(text: string): unknown; isTTY?: boolean }
}

/** What a run of the program takes from its surroundings. */
export interface Context {
  /** The environment variables. */
  env: Record<string, string | undefined>
  out: Output
  clock: Clock
}
