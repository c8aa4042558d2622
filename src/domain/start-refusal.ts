/** Exit codes of sysexits(3): try again later; correct the configuration. */
export const EXIT_TEMPORARY = 75
export const EXIT_CONFIGURATION = 78

/** The program will not start: a sentence for the operator that says why and what to do, and the exit code. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal'

  constructor (
    message: string,
    readonly exitCode: number = EXIT_CONFIGURATION,
    options?: ErrorOptions
  ) {
    super(message, options)
  }
}
