import type { SecurityRequirement } from '../../src/contract/document/openapi.js'
import { resolve } from '../../src/contract/document/reference.js'
import type { Version } from './version.js'

/** A security scheme of any type, as far as a caller sees it. */
interface Scheme {
  type: string
  scheme?: string
  in?: string
  name?: string
}

/**
 * Lists the ways to call an operation that are now refused, a sentence each: who meets one of the old requirements must
 * meet one of the new.
 */
export function securityChanges (was: Version, now: Version): string[] {
  const [before, after] = [credentialsOf(was), credentialsOf(now)]
  const spell = (needs: string[]) => needs.join(' and ') || 'no credentials'
  return before
    .filter((needs) => !after.some((fewer) => fewer.every((need) => needs.includes(need))))
    .map((needs) => `A call with ${spell(needs)} is now refused; it needs ${after.map(spell).join(', or ')}.`)
}

/** What each of the alternative requirements of an operation asks for. */
function credentialsOf (version: Version): string[][] {
  const { security } = version.operation
  const needsOf = (requirement: SecurityRequirement) =>
    Object.entries(requirement).flatMap(([name, scopes]) => [
      schemeText(version, name),
      ...scopes.map((scope) => `the scope ${scope}`)
    ])
  return security.length > 0 ? security.map(needsOf) : [[]]
}

/** A scheme is called by what it is, as no caller sees its name in the document. */
function schemeText ({ document }: Version, key: string): string {
  const declared = { value: document.components?.securitySchemes?.[key], pointer: '#' }
  const { type, scheme = key, in: where, name } = (resolve(document, declared).value ?? { type: 'unknown' }) as Scheme
  return type === 'apiKey' ? `the API key '${name}' (${where})` : `${type} ${scheme.toLowerCase()}`
}
