import { ContractError } from './contract-error.js'
import type { Document, SecurityScheme } from './document.js'
import type { Operation } from './operation.js'
import { resolve } from './reference.js'

/**
 * @throws {ContractError} when an operation asks for what the app does not enforce
 */
export function checkSecurity (document: Document, operations: Operation[], enforced: Record<string, SecurityScheme>): void {
  for (const { security, pointer } of operations) {
    for (const [name, scopes] of security.flatMap((requirement) => Object.entries(requirement))) {
      const known = enforced[name]
      if (!known) throw new ContractError(`${pointer}: the security scheme ${name} is not enforced by this app; it has ${Object.keys(enforced).join(', ') || 'none'}.`)
      const { value: declared } = resolve(document, { value: document.components?.securitySchemes?.[name], pointer })
      if (declared?.type !== known.type || declared.scheme?.toLowerCase() !== known.scheme) {
        throw new ContractError(`${pointer}: the security scheme ${name} must be of the type ${known.type} ${known.scheme ?? ''}, as this app enforces it.`)
      }
      if (scopes.length > 0) throw new ContractError(`${pointer}: the security scheme ${name} asks for scopes, which are not enforced.`)
    }
  }
}
