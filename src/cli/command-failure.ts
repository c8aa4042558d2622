/** The command cannot do what was asked for; the message says why. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
}
