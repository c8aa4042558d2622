import type { ParameterStyle, Shape } from '../operation/parameter-style.js'

/** The raw text of a parameter, split at the delimiters of its style; each part is still encoded. */
export type SplitText = { scalar: string } | { array: string[] } | { object: [name: string, value: string][] }

const DELIMITERS: Record<string, RegExp> = {
  form: /,/,
  simple: /,/,
  spaceDelimited: /%20|\+/,
  pipeDelimited: /%7C|\|/i
}

/**
 * Splits the raw text of a parameter whose style puts all of it into one text (OpenAPI 3.1.1, section 4.8.12.4). A
 * delimiter that is percent-encoded is part of a value, except where the style itself encodes it.
 * @throws {SyntaxError} when the text is not as the style writes it
 */
export function split (
  name: string,
  { style, explode }: ParameterStyle,
  shape: Shape,
  text: string
): SplitText {
  if (style === 'label') return splitAfter('.', explode ? /\./ : /,/, { explode, shape, text })
  if (style === 'matrix') return splitMatrix(name, { explode, shape, text })
  const delimiter = DELIMITERS[style]!
  if (shape === 'array') return { array: text.split(delimiter) }
  if (shape === 'object') {
    return explode ? { object: text.split(delimiter).map(pairOf) } : { object: pairUp(text.split(delimiter)) }
  }
  return { scalar: text }
}

interface Given {
  explode: boolean
  shape: Shape
  text: string
}

/** `.blue.black`, `.R=100.G=200`; or, not exploded, `.blue,black`, `.R,100,G,200` (RFC 6570, section 3.2.5). */
function splitAfter (prefix: string, delimiter: RegExp, { explode, shape, text }: Given): SplitText {
  if (!text.startsWith(prefix)) throw new SyntaxError(`begin with '${prefix}'`)
  const rest = text.slice(prefix.length)
  if (shape === 'scalar') return { scalar: rest }
  if (shape === 'array') return { array: rest.split(delimiter) }
  return { object: explode ? rest.split(delimiter).map(pairOf) : pairUp(rest.split(delimiter)) }
}

/**
 * `;color=blue;color=black`, `;R=100;G=200`; or, not exploded, `;color=blue,black`, `;color=R,100,G,200` (RFC 6570,
 * section 3.2.7).
 */
function splitMatrix (name: string, { explode, shape, text }: Given): SplitText {
  const pairs = text
    .split(';')
    .slice(1)
    .map((part) => (part.includes('=') ? pairOf(part) : ([part, ''] as [string, string])))
  if (!text.startsWith(';')) throw new SyntaxError(`begin with ';${name}'`)
  if (shape === 'object' && explode) return { object: pairs }
  if (pairs.some(([key]) => key !== name)) throw new SyntaxError(`begin with ';${name}'`)
  const values = pairs.map(([, value]) => value)
  if (shape === 'array' && explode) return { array: values }
  if (values.length > 1) throw new SyntaxError('be given only once')
  if (shape === 'array') return { array: values[0]!.split(',') }
  return shape === 'object' ? { object: pairUp(values[0]!.split(',')) } : { scalar: values[0]! }
}

/** `R=100` */
function pairOf (text: string): [string, string] {
  const at = text.indexOf('=')
  if (at === -1) throw new SyntaxError('be names and values, each with = between them')
  return [text.slice(0, at), text.slice(at + 1)]
}

/** `R`, `100`, `G`, `200` */
function pairUp (list: string[]): [string, string][] {
  if (list.length % 2 !== 0) throw new SyntaxError('be names and values in turn')
  return Array.from({ length: list.length / 2 }, (_, index) => [list[2 * index]!, list[2 * index + 1]!])
}
