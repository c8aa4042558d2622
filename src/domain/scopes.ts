/** Every scope that the document may ask for, and what it lets a key do. */
export const SCOPES = {
  'pets:read': 'Read animals and categories.',
  'pets:write': 'Add animals and categories.',
  'store:read': 'Read orders and the inventory.',
  'store:write': 'Place and cancel orders, change the inventory.'
} as const

export type Scope = keyof typeof SCOPES

export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[]

/** Which of the scopes that are needed a key does not have; a key that names none has them all. */
export function lackOf ({ scopes }: { scopes?: readonly Scope[] }, needed: readonly string[]): string[] {
  return scopes ? needed.filter((scope) => !scopes.includes(scope as Scope)) : []
}
