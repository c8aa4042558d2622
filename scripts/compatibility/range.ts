import { INT64_MAX, INT64_MIN, toInteger, type Int64 } from '../../src/contract/document/int64.js'
import { namesBigInt } from '../../src/contract/document/schema.js'
import { allowedTypes, keywordValues, type Parts } from './alternatives.js'

/**
 * The least and the most integer of each format, as the service takes them. Without a format an integer is one that a
 * double holds exactly, unless its schema names a larger one.
 */
export const INTEGERS: Record<string, [least: Int64, most: Int64]> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [INT64_MIN, INT64_MAX]
}
const EXACT: [least: Int64, most: Int64] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]

/** An end of a range; an open one is not itself in it. */
interface Bound {
  limit: Int64
  open: boolean
}

/**
 * Says how a number that fits the given parts may lie outside the range of the wanted ones, each way as a phrase: `be
 * more than 50`.
 */
export function missedRange (given: Parts, wanted: Parts, type: string | undefined): string[] {
  const types = allowedTypes(wanted) ?? []
  const whole = types.includes('integer') && !types.includes('number')
  const [least, most] = [leastOf(wanted, whole), mostOf(wanted, whole)]
  return [
    ...(isTighter(least, leastOf(given, type === 'integer'), 1)
      ? [least.open ? `be ${least.limit} or less` : `be less than ${least.limit}`]
      : []),
    ...(isTighter(most, mostOf(given, type === 'integer'), -1)
      ? [most.open ? `be ${most.limit} or more` : `be more than ${most.limit}`]
      : [])
  ]
}

function leastOf (parts: Parts, whole: boolean): Bound {
  const bounds = boundsOf(parts, 'minimum', 'exclusiveMinimum')
  if (!whole) return tightest([{ limit: -Infinity, open: false }, ...bounds], 1)
  return tightest(
    [
      { limit: integersOf(parts)[0], open: false },
      ...bounds.map(({ limit, open }) => ({ limit: wholeLimit(limit, open, 1), open: false }))
    ],
    1
  )
}

function mostOf (parts: Parts, whole: boolean): Bound {
  const bounds = boundsOf(parts, 'maximum', 'exclusiveMaximum')
  if (!whole) return tightest([{ limit: Infinity, open: false }, ...bounds], -1)
  return tightest(
    [
      { limit: integersOf(parts)[1], open: false },
      ...bounds.map(({ limit, open }) => ({ limit: wholeLimit(limit, open, -1), open: false }))
    ],
    -1
  )
}

/** The first integer within a limit: the one beyond it where the limit is open. `side` is 1 for lower bounds. */
function wholeLimit (limit: Int64, open: boolean, side: 1 | -1): Int64 {
  if (typeof limit === 'bigint') return toInteger(open ? limit + BigInt(side) : limit)
  const [outer, inner] = side === 1 ? [Math.floor, Math.ceil] : [Math.ceil, Math.floor]
  return open ? outer(limit) + side : inner(limit)
}

function boundsOf (parts: Parts, keyword: string, openKeyword: string): Bound[] {
  return [
    ...keywordValues<Int64>(parts, keyword).map((limit) => ({ limit, open: false })),
    ...keywordValues<Int64>(parts, openKeyword).map((limit) => ({ limit, open: true }))
  ]
}

function integersOf (parts: Parts): [least: Int64, most: Int64] {
  const format = keywordValues<string>(parts, 'format').find((name) => INTEGERS[name])
  if (format !== undefined) return INTEGERS[format]!
  return parts.some(namesBigInt) ? [-Infinity, Infinity] : EXACT
}

function tightest (bounds: Bound[], side: 1 | -1): Bound {
  return bounds.reduce((one, other) => (isTighter(other, one, side) ? other : one))
}

/** `side` is 1 for lower bounds, -1 for upper ones. */
function isTighter (one: Bound, other: Bound, side: 1 | -1): boolean {
  return one.limit === other.limit ? one.open && !other.open : (one.limit > other.limit) === (side === 1)
}
