import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import type { Operation } from '../contract/index.js'
import { BAN_LENGTHS } from '../domain/bans.js'
import { PLAN_NAMES } from '../domain/plans.js'
import { collectedCounter } from './collected.js'
import { Histogram, type Observations } from './histogram.js'

/** What stands for the operation of a request that is for none, and for the plan of one without a valid key. */
const NONE = 'none'
/** The methods that have a label of their own; callers may send any word. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other']
const PLANS = [...PLAN_NAMES, NONE]
const WITHOUT_KEY = PLANS.indexOf(NONE)
const VERDICTS = ['admitted', 'limited', 'banned'] as const
/** Upper bounds in seconds: most requests take milliseconds; after ten seconds a handler is given up. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const indexesOf = (names: readonly string[]): Map<string, number> =>
  new Map(names.map((name, index) => [name, index]))
const METHOD_INDEX = indexesOf(METHODS)
const PLAN_INDEX = indexesOf(PLANS)
const VERDICT_INDEX = indexesOf(VERDICTS)

interface OfOperation {
  labels: Record<'operation' | 'route', string>
  latency: Observations
  /** How many answers there were, by status, plan and method in one number. */
  answers: Map<number, Answers>
}

interface Answers {
  labels: OfOperation['labels'] & Record<'method' | 'status' | 'plan', string>
  count: number
}

/**
 * Counts requests, and what the limits decided on them. The counts are plain numbers until somebody asks for the
 * metrics: the counters of prom-client check and hash their labels each time.
 */
export class RequestMetrics {
  readonly #operations = new Map<string | undefined, OfOperation>()
  /** How often the limits have decided, by plan and then by verdict. */
  readonly #decisions = PLANS.map(() => VERDICTS.map(() => 0))
  readonly #bans: Counter<'plan' | 'level'>

  constructor (registry: Registry, operations: Operation[]) {
    const latency = new Histogram({
      name: 'petstore_request_duration_seconds',
      help: 'Time from the turn of a request to the end of its answer, by operation and route.',
      bounds: BOUNDS,
      registry
    })
    for (const operation of [...operations, undefined]) {
      const labels = { operation: operation?.operationId ?? NONE, route: operation?.route ?? NONE }
      this.#operations.set(operation?.operationId, { labels, latency: latency.add(labels), answers: new Map() })
    }
    this.#bans = new Counter({
      name: 'petstore_bans_total',
      help: 'Bans of keys that went on after their refusals, by plan and level.',
      labelNames: ['plan', 'level'],
      registers: [registry]
    })
    // From zero, so that the first ban of all shows as a rise.
    for (const plan of PLAN_NAMES) for (const level of BAN_LENGTHS.keys()) this.#bans.inc({ plan, level: level + 1 }, 0)
    this.#showCounts(registry)
  }

  /** Counts a request once it was answered. */
  count (request: FastifyRequest, reply: FastifyReply): void {
    const operation = this.#operations.get(request.operation?.operationId)!
    operation.latency.observe(reply.elapsedTime / 1000)
    const { apiKey, decision } = request
    const plan = apiKey ? PLAN_INDEX.get(apiKey.plan)! : WITHOUT_KEY
    const method = METHOD_INDEX.get(request.method) ?? METHODS.length - 1
    answersOf(operation, reply.statusCode, plan, method).count++
    if (!decision) return
    this.#decisions[plan]![VERDICT_INDEX.get(decision.verdict)!]!++
    if (decision.ban) this.#bans.inc({ plan: PLANS[plan]!, level: decision.ban.level })
  }

  #showCounts (registry: Registry): void {
    collectedCounter(registry, {
      name: 'petstore_requests_total',
      help:
        'Requests, by operation, route, method, plan of their key and status: 499 where the client closed the ' +
        'connection first.',
      labelNames: ['operation', 'route', 'method', 'status', 'plan'],
      read: () =>
        [...this.#operations.values()].flatMap(({ answers }) =>
          [...answers.values()].map(({ labels, count }): [Answers['labels'], number] => [labels, count])
        )
    })
    collectedCounter(registry, {
      name: 'petstore_limit_decisions_total',
      help: 'Decisions of the limits on requests with a valid key, by plan and outcome.',
      labelNames: ['plan', 'outcome'],
      read: () => this.#decisionsOf(PLAN_NAMES).map(({ plan, outcome, count }) => [{ plan, outcome }, count])
    })
    collectedCounter(registry, {
      name: 'petstore_address_decisions_total',
      help: 'Decisions of the limits on requests without a valid key, which are counted by address, by outcome.',
      labelNames: ['outcome'],
      read: () =>
        this.#decisionsOf([NONE])
          .filter(({ outcome }) => outcome !== 'banned')
          .map(({ outcome, count }) => [{ outcome }, count])
    })
  }

  #decisionsOf (plans: readonly string[]) {
    return plans.flatMap((plan) =>
      VERDICTS.map((outcome, index) => ({ plan, outcome, count: this.#decisions[PLAN_INDEX.get(plan)!]![index]! }))
    )
  }
}

function answersOf ({ labels: shared, answers }: OfOperation, status: number, plan: number, method: number): Answers {
  const index = (status * PLANS.length + plan) * METHODS.length + method
  let found = answers.get(index)
  if (!found) {
    const labels = { ...shared, method: METHODS[method]!, status: String(status), plan: PLANS[plan]! }
    answers.set(index, (found = { labels, count: 0 }))
  }
  return found
}
