import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Histogram, type Registry } from 'prom-client'
import type { Operation } from '../contract/index.js'
import { BAN_LENGTHS } from '../domain/bans.js'
import { PLAN_NAMES } from '../domain/plans.js'

/** What stands for the operation of a request that is for none, and for the plan of one without a valid key. */
const NONE = 'none'
/** The methods that have a label of their own; callers may send any word. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** Upper bounds in seconds: most requests take milliseconds; after ten seconds a handler is given up. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts requests, and what the limits decided on them. All series that can be foreseen start at zero. */
export class RequestMetrics {
  readonly #duration: Histogram<'operation' | 'route'>
  readonly #requests: Counter<'operation' | 'route' | 'method' | 'status' | 'plan'>
  readonly #decisions: Counter<'plan' | 'outcome'>
  readonly #addressDecisions: Counter<'outcome'>
  readonly #bans: Counter<'plan' | 'level'>

  constructor (registry: Registry, operations: Operation[]) {
    const registers = [registry]
    this.#duration = new Histogram({
      name: 'petstore_request_duration_seconds',
      help: 'Time from the turn of a request to the end of its answer, by operation and route.',
      labelNames: ['operation', 'route'],
      buckets: BUCKETS,
      registers
    })
    for (const operation of [...operations, undefined]) this.#duration.zero(labelsOf(operation))
    this.#requests = new Counter({
      name: 'petstore_requests_total',
      help:
        'Requests, by operation, route, method, plan of their key and status: 499 where the client closed the ' +
        'connection first.',
      labelNames: ['operation', 'route', 'method', 'status', 'plan'],
      registers
    })
    this.#decisions = new Counter({
      name: 'petstore_limit_decisions_total',
      help: 'Decisions of the limits on requests with a valid key, by plan and outcome.',
      labelNames: ['plan', 'outcome'],
      registers
    })
    this.#addressDecisions = new Counter({
      name: 'petstore_address_decisions_total',
      help: 'Decisions of the limits on requests without a valid key, which are counted by address, by outcome.',
      labelNames: ['outcome'],
      registers
    })
    this.#bans = new Counter({
      name: 'petstore_bans_total',
      help: 'Bans of keys that went on after their refusals, by plan and level.',
      labelNames: ['plan', 'level'],
      registers
    })
    for (const outcome of ['admitted', 'limited']) this.#addressDecisions.inc({ outcome }, 0)
    for (const plan of PLAN_NAMES) {
      for (const outcome of ['admitted', 'limited', 'banned']) this.#decisions.inc({ plan, outcome }, 0)
      for (const level of BAN_LENGTHS.keys()) this.#bans.inc({ plan, level: level + 1 }, 0)
    }
  }

  /** Counts a request once it was answered. */
  count ({ operation, method, apiKey, decision }: FastifyRequest, reply: FastifyReply): void {
    const labels = labelsOf(operation)
    this.#duration.observe(labels, reply.elapsedTime / 1000)
    const plan = apiKey?.plan ?? NONE
    this.#requests.inc({ ...labels, method: METHODS.has(method) ? method : 'other', status: reply.statusCode, plan })
    if (!decision) return
    if (apiKey) this.#decisions.inc({ plan, outcome: decision.verdict })
    else this.#addressDecisions.inc({ outcome: decision.verdict })
    if (decision.ban) this.#bans.inc({ plan, level: decision.ban.level })
  }
}

function labelsOf (operation: Operation | null | undefined): { operation: string; route: string } {
  return { operation: operation?.operationId ?? NONE, route: operation?.route ?? NONE }
}
