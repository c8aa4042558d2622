import type { Int64 } from '../document/int64.js'

/** A number as it is spelled: an integer times a power of ten. */
interface Decimal {
  digits: bigint
  exponent: number
}

/**
 * Tells whether a number is a multiple of another as people count, in decimals: 0.29 is a multiple of 0.01, though no
 * double is exactly either of them.
 */
export function isMultipleOf (value: Int64, step: Int64): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return (value as number) % (step as number) === 0
  if (typeof value === 'number' && !Number.isFinite(value)) return false
  const [one, other] = [decimalOf(value), decimalOf(step)]
  const exponent = Math.min(one.exponent, other.exponent)
  return scaled(one, exponent) % scaled(other, exponent) === 0n
}

function decimalOf (number: Int64): Decimal {
  const [, whole = '', fraction = '', exponent = '0'] = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(number))!
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

function scaled ({ digits, exponent }: Decimal, least: number): bigint {
  return digits * 10n ** BigInt(exponent - least)
}
