import { allowedTypes, keywordValues, type Parts } from './alternatives.js'

/**
 * The least and the most integer of each format, as the service takes them. Without a format an integer is one that a
 * double holds exactly.
 */
export const INTEGERS: Record<string, [least: number, most: number]> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63]
}
const EXACT: [least: number, most: number] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]

/** An end of a range; an open one is not itself in it. */
interface Bound {
  limit: number
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
      ...bounds.map(({ limit, open }) => ({ limit: open ? Math.floor(limit) + 1 : Math.ceil(limit), open: false }))
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
      ...bounds.map(({ limit, open }) => ({ limit: open ? Math.ceil(limit) - 1 : Math.floor(limit), open: false }))
    ],
    -1
  )
}

function boundsOf (parts: Parts, keyword: string, openKeyword: string): Bound[] {
  return [
    ...keywordValues<number>(parts, keyword).map((limit) => ({ limit, open: false })),
    ...keywordValues<number>(parts, openKeyword).map((limit) => ({ limit, open: true }))
  ]
}

function integersOf (parts: Parts): [least: number, most: number] {
  return keywordValues<string>(parts, 'format').flatMap((format) => (INTEGERS[format] ? [INTEGERS[format]] : []))[0] ?? EXACT
}

function tightest (bounds: Bound[], side: 1 | -1): Bound {
  return bounds.reduce((one, other) => (isTighter(other, one, side) ? other : one))
}

/** `side` is 1 for lower bounds, -1 for upper ones. */
function isTighter (one: Bound, other: Bound, side: 1 | -1): boolean {
  return one.limit === other.limit ? one.open && !other.open : side * one.limit > side * other.limit
}
