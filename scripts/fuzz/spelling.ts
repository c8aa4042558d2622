import type { Json } from './values.js'

/** Gives a whole number below another: which of several spellings of a value is used. */
export type Choose = (below: number) => number

/** Makes a choice of given numbers, which are used one after the other, again and again. */
export function choosing (numbers: number[]): Choose {
  let next = 0
  return (below) => (numbers[next++ % numbers.length] ?? 0) % below
}

/** Writes a value as JSON in one of the ways that JSON has for it (RFC 8259). */
export function spelled (value: Json, choose: Choose): string {
  const space = () => ['', '', '', ' ', '\n', '\t', '\r\n  '][choose(7)]!
  const between = (parts: string[]) => `${space()}${parts.join(`${space()},${space()}`)}${space()}`
  if (typeof value === 'string') return text(value, choose)
  if (typeof value === 'bigint') return integer(value, choose)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${between(value.map((item) => spelled(item, choose)))}]`
  const members = Object.entries(value).map(
    ([name, child]) => `${text(name, choose)}${space()}:${space()}${spelled(child, choose)}`
  )
  return `{${between(choose(2) === 0 ? members : members.reverse())}}`
}

function integer (value: bigint, choose: Choose): string {
  const digits = String(value)
  const odd = value === 0n ? ['0.0', '-0', '0e9'] : [`${digits}.0`, `${digits}0e-1`, `${digits}.000E+0`]
  return [digits, digits, digits, ...odd][choose(6)]!
}

function text (value: string, choose: Choose): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  const style = choose(4)
  if (style === 0) return `"${Array.from({ length: value.length }, (_, index) => escape(value[index]!)).join('')}"`
  return style === 1 ? JSON.stringify(value).replaceAll('/', '\\/') : JSON.stringify(value)
}

/** Percent-encodes a part of a URL where it must be, and in a quarter of the cases everywhere (RFC 3986, section 2). */
export function encoded (value: string, choose: Choose): string {
  if (choose(4) > 0) return encodeURIComponent(value)
  return [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}
