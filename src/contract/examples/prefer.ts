/** An element of a comma-separated list, in which a string in quotes may have commas of its own. */
const ELEMENT = /(?:"(?:\\.|[^"\\])*"|[^",])+/g
const PREFERENCE = /^\s*([^\s=;"]+)\s*(?:=\s*(?:"((?:\\.|[^"\\])*)"|([^\s;"]*)))?/
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/**
 * Reads the preferences of a Prefer header, their names in lower case; of one that is given twice the first counts (RFC
 * 7240, section 2).
 */
export function preferencesOf (header: string): Map<string, string> {
  const preferences = new Map<string, string>()
  for (const element of header.match(ELEMENT) ?? []) {
    const [, name, quoted, token = ''] = PREFERENCE.exec(element) ?? []
    if (name && !preferences.has(name.toLowerCase())) {
      preferences.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? token)
    }
  }
  return preferences
}

/** Writes the value of a Preference-Applied header that names preferences (RFC 7240, section 3). */
export function appliedText (preferences: Iterable<[name: string, value: string]>): string {
  return [...preferences]
    .map(([name, value]) => `${name}=${TOKEN.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`}`)
    .join(', ')
}
