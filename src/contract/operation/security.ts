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
      const { scopes: known = [] } = scheme
      if (kindOf(schemeNamed(schemas, name, pointer)) !== kindOf(scheme)) {
        throw refuse(`must be of the type ${kindOf(scheme)}, as this app enforces it`)
      }
      const unknown = scopes.find((scope) => !known.includes(scope))
      if (unknown !== undefined) {
        throw refuse(`asks for the scope ${unknown}, which this app does not know; it has ${listOf(known)}`)
      }
    }
  }
}

/** Lists the query parameters in which the security of an operation may have an API key sent. */
export function apiKeyParametersOf (schemas: Schemas, { security, pointer }: Operation): string[] {
  const names = security.flatMap((requirement) => Object.keys(requirement))
  return names
    .map((name) => schemeNamed(schemas, name, pointer))
    .flatMap((scheme) => (scheme?.type === 'apiKey' && scheme.in === 'query' ? [scheme.name!] : []))
}

function schemeNamed (schemas: Schemas, name: string, pointer: string): SecurityScheme | undefined {
  return schemas.resolve({ value: schemas.document.components?.securitySchemes?.[name], pointer }).value
}

/** What tells a security scheme from others: `http bearer`, `apiKey 'X-Key' in header`. */
function kindOf (scheme: SecurityScheme | undefined): string | undefined {
  if (scheme?.type === 'apiKey') return `apiKey '${scheme.name}' in ${scheme.in}`
  return scheme?.type === 'http' ? `http ${scheme.scheme?.toLowerCase()}` : scheme?.type
}

function listOf (names: readonly string[]): string {
  return names.join(', ') || 'none'
}
