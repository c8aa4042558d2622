/** The middle of some values and the bounds of their middle half. */
export interface Quartiles {
  q1: number
  median: number
  q3: number
}

/** The quartiles of some values, between two of them by interpolation; undefined when there are none. */
export function quartilesOf (values: readonly number[]): Quartiles | undefined {
  if (values.length === 0) return undefined
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number): number => {
    const place = share * (sorted.length - 1)
    const below = sorted[Math.floor(place)]!
    return below + (sorted[Math.ceil(place)]! - below) * (place % 1)
  }
  return { q1: at(0.25), median: at(0.5), q3: at(0.75) }
}
