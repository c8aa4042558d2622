/** A value of `format: int64`: a number where that is exact, else a bigint. */
export type Int64 = number | bigint

/** The least value of `format: int64`. */
export const INT64_MIN = -(2n ** 63n)
/** The greatest value of `format: int64`. */
export const INT64_MAX = 2n ** 63n - 1n

/** Gives the integer that a text of decimal digits spells, exact at any length. */
export function toInteger (digits: string): Int64 {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}

/** Tells whether a value is an integer, be it too large for a number to hold exactly. */
export function isInteger (value: unknown): value is Int64 {
  return typeof value === 'bigint' || Number.isInteger(value)
}
