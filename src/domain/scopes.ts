/** Every scope that the document may ask for, and what it lets a key do. */
export const SCOPES = {
  'pets:read': 'Read animals and categories.',
  'pets:write': 'Add animals and categories.',
  'store:read': 'Read orders and the inventory.',
  'store:write': 'Place and cancel orders, change the inventory.'
} as const

export type Scope = keyof typeof SCOPES

export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[]

/** Gives those of the needed scopes that a key does not have; a key that names no scopes has all of them. */
export function missingScopes ({ scopes }: { scopes?: readonly Scope[] }, needed: readonly string[]): string[] {
  return scopes ? needed.filter((scope) => !scopes.includes(scope as Scope)) : []
}
