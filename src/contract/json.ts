import { parse } from 'lossless-json'
import secureJson from 'secure-json-parse'
import { toInteger } from './int64.js'
import { RequestError } from './request-error.js'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * A JSON body (RFC 8259) as a value: integers that a number would round are bigints. Refused, because it could not be kept as it was
 * sent: bytes that are not UTF-8, a byte order mark, half a surrogate pair, one key with two values, `__proto__`.
 * @throws {RequestError} 400
 */
export function parseJson (bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new RequestError(400, 'The body is empty; it must be JSON.')
  try {
    const text = utf8.decode(bytes)
    secureJson.parse(text)
    const value = parse(text, undefined, { parseNumber })
    if (/\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(value)) throw new SyntaxError('a surrogate without its pair')
    return value
  } catch (cause) {
    throw Object.assign(new RequestError(400, 'The body is not valid JSON.'), { cause })
  }
}

function parseNumber (literal: string): number | bigint {
  const number = Number(literal)
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? exactly(literal) ?? number : number
}

/** The integer that a JSON number spells (`9007199254740993.0`, `12e18`); undefined when it has more than 40 digits or a fraction. */
function exactly (literal: string): number | bigint | undefined {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal)!
  const digits = whole + fraction
  const shift = Number(exponent) - fraction.length
  if (digits.length > 40 || Math.abs(shift) > 40) return undefined
  const kept = shift < 0 ? digits.slice(0, shift) : digits.padEnd(digits.length + shift, '0')
  return shift < 0 && /[^0]/.test(digits.slice(shift)) ? undefined : toInteger(sign + (kept || '0'))
}

function isWellFormed (value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, child]) => key.isWellFormed() && isWellFormed(child))
}
