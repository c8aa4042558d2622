/**
 * Says that the document is not usable, or that the program does not fit it. It stops the start; its message is a
 * sentence that names the place.
 */
export class ContractError extends Error {
  override readonly name = 'ContractError'
}
