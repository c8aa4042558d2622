/** An integer of any size, such as one of `format: int64`: a number where that is exact, else a bigint. */
export type Int64 = number | bigint

/** The least value of `format: int64`. */
export const INT64_MIN = -(2n ** 63n)
/** The greatest value of `format: int64`. */
export const INT64_MAX = 2n ** 63n - 1n

/** Returns an integer, or the one that digits spell, as {@link Int64} has it: exact at any length. */
export function toInteger (integer: string | Int64): Int64 {
  const number = Number(integer)
  return Number.isSafeInteger(number) ? number : BigInt(integer)
}

/**
 * Returns the number that a literal of JSON or YAML spells: an integer exactly, a fraction as a double, and what no
 * double holds as Infinity. Returns undefined for a fraction that a double cannot tell from an integer.
 */
export function numberOf (literal: string): Int64 | undefined {
  const number = Number(literal)
  if (Number.isSafeInteger(number) && !/[.e]/i.test(literal)) return number
  return Number.isInteger(number) ? integerOf(literal) : number
}

/** The integer that a literal spells: `9007199254740993.0`, `12e18`, `-0`, `0x20000000000001`. */
function integerOf (literal: string): Int64 | undefined {
  const decimal = /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i.exec(literal)
  if (!decimal) return toInteger(literal)
  const [, sign, whole = '', fraction = '', exponent = '0'] = decimal
  const digits = whole + fraction
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end--
  if (end === 0) return 0
  const zeros = Number(exponent) - fraction.length + digits.length - end
  return zeros < 0 ? undefined : toInteger(sign + digits.slice(0, end) + '0'.repeat(zeros))
}

/** Tells whether a value is an integer, be it too large for a number to hold exactly. */
export function isInteger (value: unknown): value is Int64 {
  return typeof value === 'bigint' || Number.isInteger(value)
}
