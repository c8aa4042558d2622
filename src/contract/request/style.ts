import type { ParameterObject } from '../document/document.js'

/** What the raw text of a parameter is: one value, or parts between delimiters, still encoded. */
export type Parts = { whole: string } | { list: string[] } | { map: [name: string, value: string][] }

/** Which of these a schema asks for. */
export type Shape = 'scalar' | 'array' | 'object'

/** `style` and `explode` with their defaults (OpenAPI 3.1.1, section 4.8.12.2). */
export function styleOf ({
  in: where,
  style = where === 'query' || where === 'cookie' ? 'form' : 'simple',
  explode = style === 'form'
}: Pick<ParameterObject, 'in' | 'style' | 'explode'>) {
  return { style, explode }
}

/** Which styles a place may have (section 4.8.12.3). */
export const STYLES: Record<ParameterObject['in'], readonly string[]> = {
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  path: ['simple', 'label', 'matrix'],
  header: ['simple'],
  cookie: ['form']
}

const DELIMITERS: Record<string, RegExp> = {
  form: /,/,
  simple: /,/,
  spaceDelimited: /%20|\+/,
  pipeDelimited: /%7C|\|/i
}

/**
 * Takes the raw text of a parameter apart where its style puts all of it into one text (section 4.8.12.4). A delimiter
 * that is percent-encoded is part of a value, except where the style itself encodes it.
 * @throws {SyntaxError} when the text is not as the style writes it
 */
export function split (
  name: string,
  { style, explode }: { style: string; explode: boolean },
  shape: Shape,
  text: string
): Parts {
  if (style === 'label') return splitAfter('.', explode ? /\./ : /,/, { explode, shape, text })
  if (style === 'matrix') return splitMatrix(name, { explode, shape, text })
  const delimiter = DELIMITERS[style]!
  if (shape === 'array') return { list: text.split(delimiter) }
  if (shape === 'object') {
    return explode ? { map: text.split(delimiter).map(pairOf) } : { map: pairUp(text.split(delimiter)) }
  }
  return { whole: text }
}

interface Given {
  explode: boolean
  shape: Shape
  text: string
}

/** `.blue.black`, `.R=100.G=200`; or, not exploded, `.blue,black`, `.R,100,G,200` (RFC 6570, section 3.2.5). */
function splitAfter (prefix: string, delimiter: RegExp, { explode, shape, text }: Given): Parts {
  if (!text.startsWith(prefix)) throw new SyntaxError(`begin with '${prefix}'`)
  const rest = text.slice(prefix.length)
  if (shape === 'scalar') return { whole: rest }
  if (shape === 'array') return { list: rest.split(delimiter) }
  return { map: explode ? rest.split(delimiter).map(pairOf) : pairUp(rest.split(delimiter)) }
}

/**
 * `;color=blue;color=black`, `;R=100;G=200`; or, not exploded, `;color=blue,black`, `;color=R,100,G,200` (RFC 6570,
 * section 3.2.7).
 */
function splitMatrix (name: string, { explode, shape, text }: Given): Parts {
  const pairs = text
    .split(';')
    .slice(1)
    .map((part) => (part.includes('=') ? pairOf(part) : ([part, ''] as [string, string])))
  if (!text.startsWith(';')) throw new SyntaxError(`begin with ';${name}'`)
  if (shape === 'object' && explode) return { map: pairs }
  if (pairs.some(([key]) => key !== name)) throw new SyntaxError(`begin with ';${name}'`)
  const values = pairs.map(([, value]) => value)
  if (shape === 'array' && explode) return { list: values }
  if (values.length > 1) throw new SyntaxError('be given only once')
  if (shape === 'array') return { list: values[0]!.split(',') }
  return shape === 'object' ? { map: pairUp(values[0]!.split(',')) } : { whole: values[0]! }
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
