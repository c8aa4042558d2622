/** Requests a minute and a day (contract, section 8). */
export interface Quota {
  perMinute: number
  perDay: number
}

export const PLANS = {
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 }
} as const satisfies Record<string, Quota>

/** Enterprise has no numbers of its own: each key carries those that were agreed. */
export type Plan = keyof typeof PLANS | 'enterprise'

export const PLAN_NAMES: readonly Plan[] = [...(Object.keys(PLANS) as (keyof typeof PLANS)[]), 'enterprise']

const LARGEST = 2 ** 31 - 1

/** A plan and its numbers do not go together; the message says why. */
export class PlanError extends Error {
  override readonly name = 'PlanError'
}

/**
 * Gives the limits of a key that is on this plan.
 * @throws {PlanError} when Enterprise lacks its numbers, another plan has some, or they contradict each other
 */
export function quotaOf (
  plan: Plan,
  { perMinute, perDay }: { perMinute?: number | undefined; perDay?: number | undefined } = {}
): Quota {
  if (plan !== 'enterprise') {
    if (perMinute !== undefined || perDay !== undefined) {
      throw new PlanError(`The plan ${plan} has its own limits; only enterprise takes --per-minute and --per-day.`)
    }
    return PLANS[plan]
  }
  if (perMinute === undefined || perDay === undefined) {
    throw new PlanError('The plan enterprise needs both --per-minute and --per-day.')
  }
  for (const limit of [perMinute, perDay]) {
    if (!Number.isInteger(limit) || limit < 1 || limit > LARGEST) {
      throw new PlanError(`A limit must be a whole number from 1 to ${LARGEST}.`)
    }
  }
  if (perDay < perMinute) throw new PlanError('The limit per day may not be smaller than the limit per minute.')
  return { perMinute, perDay }
}
