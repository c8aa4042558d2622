import t from 'tap'
import { PLAN_NAMES, PlanError, quotaOf, type Plan, type Quota } from '../../src/domain/plans.js'

t.test('the plans have the limits of the contract', async (t) => {
  const wanted: [plan: Plan, perMinute: number, perDay: number][] = [
    ['free', 60, 1_000],
    ['pro', 300, 10_000],
    ['business', 1_000, 100_000]
  ]
  for (const [plan, perMinute, perDay] of wanted) t.same(quotaOf(plan), { perMinute, perDay }, plan)
  t.same(PLAN_NAMES, ['free', 'pro', 'business', 'enterprise'])
})

t.test('enterprise takes the numbers that were agreed', async (t) => {
  for (const agreed of [
    { perMinute: 1, perDay: 1 },
    { perMinute: 5_000, perDay: 1_000_000 },
    { perMinute: 2 ** 31 - 1, perDay: 2 ** 31 - 1 }
  ]) {
    t.same(quotaOf('enterprise', agreed), agreed)
  }
})

t.test('numbers that do not go with the plan are refused, and the message says why', async (t) => {
  const both = 'The plan enterprise needs both --per-minute and --per-day.'
  const range = 'A limit must be a whole number from 1 to 2147483647.'
  const own = (plan: Plan) => `The plan ${plan} has its own limits; only enterprise takes --per-minute and --per-day.`
  const wanted: [plan: Plan, agreed: Partial<Quota> | undefined, message: string][] = [
    ['enterprise', undefined, both],
    ['enterprise', {}, both],
    ['enterprise', { perMinute: 5 }, both],
    ['enterprise', { perDay: 5 }, both],
    ['enterprise', { perMinute: 0, perDay: 5 }, range],
    ['enterprise', { perMinute: 5, perDay: -5 }, range],
    ['enterprise', { perMinute: 1.5, perDay: 5 }, range],
    ['enterprise', { perMinute: 5, perDay: 2 ** 31 }, range],
    ['enterprise', { perMinute: NaN, perDay: NaN }, range],
    ['enterprise', { perMinute: 5, perDay: Infinity }, range],
    ['enterprise', { perMinute: 6, perDay: 5 }, 'The limit per day may not be smaller than the limit per minute.'],
    ['free', { perMinute: 61 }, own('free')],
    ['pro', { perDay: 1 }, own('pro')],
    ['business', { perMinute: 1_000, perDay: 100_000 }, own('business')]
  ]
  for (const [plan, agreed, message] of wanted) {
    t.throws(() => quotaOf(plan, agreed), new PlanError(message), `${plan} ${JSON.stringify(agreed)}`)
  }
})
