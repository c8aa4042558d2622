import { ContractError } from '../document/contract-error.js'
import type { SecurityScheme } from '../document/openapi.js'
import type { Schemas } from '../document/schemas.js'
import type { Operation } from './operation.js'

/** A security scheme as a document must declare it, and the scopes of it that the app knows. */
export interface EnforcedScheme extends SecurityScheme {
  scopes?: readonly string[]
}

/**
 * Checks that the app enforces every security scheme and scope that an operation asks for.
 * @throws {ContractError} for the first that it does not
 */
export function checkSecurity (
  schemas: Schemas,
  operations: Operation[],
  enforced: Record<string, EnforcedScheme>
): void {
  for (const { security, pointer } of operations) {
    for (const [name, scopes] of security.flatMap((requirement) => Object.entries(requirement))) {
      const refuse = (what: string) => new ContractError(`${pointer}: the security scheme ${name} ${what}.`)
      const scheme = enforced[name]
      if (!scheme) throw refuse(`is not enforced by this app; it has ${listOf(Object.keys(enforced))}`)
      const { type, scheme: httpScheme, scopes: known = [] } = scheme
      const declared = schemas.resolve({ value: schemas.document.components?.securitySchemes?.[name], pointer }).value
      if (declared?.type !== type || declared.scheme?.toLowerCase() !== httpScheme) {
        throw refuse(`must be of the type ${type} ${httpScheme ?? ''}, as this app enforces it`)
      }
      const unknown = scopes.find((scope) => !known.includes(scope))
      if (unknown !== undefined) {
        throw refuse(`asks for the scope ${unknown}, which this app does not know; it has ${listOf(known)}`)
      }
    }
  }
}

function listOf (names: readonly string[]): string {
  return names.join(', ') || 'none'
}
