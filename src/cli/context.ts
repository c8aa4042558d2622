import type { Clock } from '../domain/clock.js'

type Write = (text: string, written?: (error?: Error | null) => void) => unknown

/** The two streams that the program writes to, as `process` has them. */
export interface Output {
  /** Takes what was asked for. Where `columns` is set, it is a terminal that has so many. */
  stdout: { write: Write; fd?: number; columns?: number }
  /** Takes everything else that a person is told. Where `isTTY` is set, it is a terminal, and shows progress too. */
  stderr: { write: Write; fd?: number; isTTY?: boolean }
}

/** What a run of the program takes from its surroundings. */
export interface Context {
  /** The words that run the program, for hints: `node dist/main.js`. */
  program: string
  /** The environment variables. */
  env: Record<string, string | undefined>
  out: Output
  clock: Clock
}
