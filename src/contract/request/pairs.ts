import { decodePercent } from '../document/pointer.js'

/** The names in a query, a cookie or a form, decoded, and the values of each, raw as they came. */
export type Pairs = Map<string, string[]>

/** Parses a query or an `application/x-www-form-urlencoded` body. */
export function pairsOf (text: string): Pairs {
  return collect(text.split('&'), decodeForm)
}

/** Parses a Cookie header (RFC 6265, section 4.2.1). */
export function cookiesOf (header: string): Pairs {
  return collect(header.split(';').map((part) => part.trim()), decodePercent)
}

function collect (parts: string[], decode: (text: string) => string): Pairs {
  const pairs: Pairs = new Map()
  for (const part of parts.filter(Boolean)) {
    const at = part.indexOf('=')
    const name = decode(at === -1 ? part : part.slice(0, at))
    const value = at === -1 ? '' : part.slice(at + 1)
    const values = pairs.get(name)
    if (values) values.push(value)
    else pairs.set(name, [value])
  }
  return pairs
}

/** Decodes a text of a form, in which `+` is a space and the rest percent-encoded. */
export function decodeForm (text: string): string {
  return decodePercent(text.replaceAll('+', ' '))
}
