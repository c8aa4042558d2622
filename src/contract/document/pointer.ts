/** A value of the document together with the JSON pointer (RFC 6901) to it, written as a URI fragment. */
export interface Located<Value> {
  value: Value
  pointer: string
}

/** Extends a pointer by names, one within the other: `#/paths/~1pets` and `get` give `#/paths/~1pets/get`. */
export function pointerTo (parent: string, ...names: (string | number)[]): string {
  return [parent, ...names.map((name) => encodeURIComponent(escapeToken(String(name))))].join('/')
}

/** Gives the names that a JSON pointer leads through: `/a~1b/c` gives `a/b` and `c`. */
export function tokensOf (pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapeToken)
}

/** Gives the names that a JSON pointer in a URI fragment leads through: `#/paths/~1a%20b` gives `paths` and `/a b`. */
export function fragmentTokensOf (fragment: string): string[] {
  const [, ...tokens] = fragment.split('/')
  return tokens.map((token) => unescapeToken(decodePercent(token)))
}

/** Writes a name as it stands in a JSON pointer. */
export function escapeToken (name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function unescapeToken (token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Decodes a percent-encoded text (RFC 3986, section 2.1); one whose percent signs encode nothing stays as it is. */
export function decodePercent (text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
