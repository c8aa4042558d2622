import { parse } from 'lossless-json'
import { toInteger, type Int64 } from './int64.js'
import { RequestError } from './request-error.js'

/** How many arrays and objects may stand inside one another; what reads them further on calls itself for each. */
const DEPTH_LIMIT = 100

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * A JSON body (RFC 8259) as a value: integers that a number would round are bigints. Refused, because it could not be kept as it was
 * sent: bytes that are not UTF-8, a byte order mark, half a surrogate pair, one key with two values, `__proto__`, a fraction too small
 * to be told from none.
 * @throws {RequestError} 400
 */
export function parseJson (bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new RequestError(400, 'The body is empty; it must be JSON.')
  try {
    const text = utf8.decode(bytes)
    checkValue(JSON.parse(text))
    return parse(text, undefined, { parseNumber })
  } catch (cause) {
    if (cause instanceof RequestError) throw cause
    throw Object.assign(new RequestError(400, 'The body is not valid JSON.'), { cause })
  }
}

function parseNumber (literal: string): Int64 {
  const number = Number(literal)
  if (Number.isSafeInteger(number) && !/[.e]/i.test(literal)) return number
  return Number.isInteger(number) ? integerOf(literal) : number
}

/** The integer that a JSON number spells: `9007199254740993.0`, `12e18`, `-0`. */
function integerOf (literal: string): Int64 {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(literal)!
  const digits = whole + fraction
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end--
  if (end === 0) return 0
  const zeros = Number(exponent) - fraction.length + digits.length - end
  if (zeros < 0) throw new RequestError(400, 'The body has a number with more digits than can be kept.')
  return toInteger(sign + digits.slice(0, end) + '0'.repeat(zeros))
}

function checkValue (value: unknown, depth = 0): void {
  if (typeof value === 'string' && !value.isWellFormed()) throw new SyntaxError('a surrogate without its pair')
  if (typeof value !== 'object' || value === null) return
  if (depth === DEPTH_LIMIT) throw new RequestError(400, `The body has more than ${DEPTH_LIMIT} levels.`)
  for (const [key, child] of Object.entries(value)) {
    if (key === '__proto__') throw new SyntaxError('__proto__')
    checkValue(key)
    checkValue(child, depth + 1)
  }
}
