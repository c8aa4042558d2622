import { ContractError } from '../document/contract-error.js'
import type { Document, SecurityScheme } from '../document/document.js'
import type { Operation } from './operation.js'
import { resolve } from '../document/reference.js'

/** A security scheme as a document must declare it, and the scopes of it that the app knows. */
export interface EnforcedScheme extends SecurityScheme {
  scopes?: readonly string[]
}

/**
 * @throws {ContractError} when an operation asks for what the app does not enforce
 */
export function checkSecurity (
  document: Document,
  operations: Operation[],
  enforced: Record<string, EnforcedScheme>
): void {
  for (const { security, pointer } of operations) {
    for (const [name, scopes] of security.flatMap((requirement) => Object.entries(requirement))) {
      const known = enforced[name]
      if (!known) {
        throw new ContractError(
          `${pointer}: the security scheme ${name} is not enforced by this app; it has ${Object.keys(enforced).join(', ') || 'none'}.`
        )
      }
      const { value: declared } = resolve(document, { value: document.components?.securitySchemes?.[name], pointer })
      if (declared?.type !== known.type || declared.scheme?.toLowerCase() !== known.scheme) {
        throw new ContractError(
          `${pointer}: the security scheme ${name} must be of the type ${known.type} ${known.scheme ?? ''}, as this app enforces it.`
        )
      }
      const unknown = scopes.find((scope) => !known.scopes?.includes(scope))
      if (unknown !== undefined) {
        throw new ContractError(
          `${pointer}: the security scheme ${name} asks for the scope ${unknown}, which this app does not know; it has ${known.scopes?.join(', ') || 'none'}.`
        )
      }
    }
  }
}
