/** A backslash before a letter that has no meaning to JavaScript after one: without the flag `u`, `\\A` is an A. */
const MEANINGLESS_ESCAPE = /(?<!\\)(?:\\\\)*\\[^\W\d_bBcdDfknrsStuvwWx]/

/**
 * Compiles the regular expression that a `pattern` of a document spells (ECMA-262): with the flag `u`, as JSON Schema
 * asks, or without it, for the many that escape what needs no escape. The `(?i)` of other languages is understood where
 * it means the flag `i`.
 * @throws {SyntaxError} when it is none, or when it would silently mean something else here
 */
export function regExpOf (pattern: string): RegExp {
  const { source, flags } = flagsOf(pattern)
  try {
    return new RegExp(source, `u${flags}`)
  } catch (error) {
    if (MEANINGLESS_ESCAPE.test(source)) throw error
    return new RegExp(source, flags)
  }
}

/** `(?i)` holds to the end of its group: it is the flag `i` when no letter stands outside of that. */
function flagsOf (pattern: string): { source: string; flags: string } {
  const [before, inside, ...rest] = pattern.split('(?i)')
  if (inside === undefined || rest.length > 0) return { source: pattern, flags: '' }
  const outside = before + inside.slice(endOfGroup(inside))
  return /[a-z]/i.test(outside.replace(/\\[a-z]/gi, ''))
    ? { source: pattern, flags: '' }
    : { source: before + inside, flags: 'i' }
}

/** Where the group ends within which a text begins. */
function endOfGroup (text: string): number {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/\\[^]|\[(?:\\[^]|[^\]])*\]|[()]/g)) {
    if (token === '(') depth++
    if (token === ')' && depth-- === 0) return index
  }
  return text.length
}

/**
 * The keyword of a schema that says in words what its `pattern` asks, such as `must not have line breaks`: a message
 * puts it behind the name of a value that does not match.
 */
export const PATTERN_MESSAGE = 'x-pattern-message'
