import type { Json } from './values.js'

/** A source of small numbers that says which spelling is used where a value has several. */
export type Choices = (below: number) => number

export function choicesOf (numbers: number[]): Choices {
  let next = 0
  return (below) => (numbers[next++ % numbers.length] ?? 0) % below
}

/** A value as JSON, spelled in one of the ways that JSON has for it (RFC 8259). */
export function spelled (value: Json, choose: Choices): string {
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

function integer (value: bigint, choose: Choices): string {
  const digits = String(value)
  const odd = value === 0n ? ['0.0', '-0', '0e9'] : [`${digits}.0`, `${digits}0e-1`, `${digits}.000E+0`]
  return [digits, digits, digits, ...odd][choose(6)]!
}

function text (value: string, choose: Choices): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  const style = choose(4)
  if (style === 0) return `"${Array.from({ length: value.length }, (_, index) => escape(value[index]!)).join('')}"`
  return style === 1 ? JSON.stringify(value).replaceAll('/', '\\/') : JSON.stringify(value)
}

/** A part of an address, percent-encoded where it must be and where it need not be (RFC 3986, section 2). */
export function encoded (value: string, choose: Choices): string {
  if (choose(4) > 0) return encodeURIComponent(value)
  return [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}
