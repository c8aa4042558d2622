/**
 * The document is not usable, or the program does not fit it. Stops the start; its message is a sentence that names the
 * place.
 */
export class ContractError extends Error {
  override readonly name = 'ContractError'
}
