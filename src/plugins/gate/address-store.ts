import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Clock } from '../../domain/clock.js'
import { MINUTE, windowEnd, windowStart } from '../../domain/windows.js'

/**
 * Memory is bounded by this many addresses a minute; those beyond it share one count, so that no flood frees anybody's.
 */
const MOST_ADDRESSES = 50_000
const OVERFLOW = ''

/** How often each address was counted in the current UTC minute. */
export class AddressCounts {
  readonly #clock: Clock
  readonly #counts = new Map<string, number>()
  #start = 0

  constructor (clock: Clock) {
    this.#clock = clock
  }

  /** Counts an address once more and gives its count. */
  add (address: string): number {
    const count = this.of(address) + 1
    this.#counts.set(this.#keyOf(address), count)
    return count
  }

  of (address: string): number {
    this.#beginMinute()
    return this.#counts.get(this.#keyOf(address)) ?? 0
  }

  /** When the counts begin anew, in milliseconds since 1970. */
  get resetAt (): number {
    return windowEnd(this.#clock.now(), MINUTE)
  }

  #beginMinute (): void {
    const start = windowStart(this.#clock.now(), MINUTE)
    if (start === this.#start) return
    this.#start = start
    this.#counts.clear()
  }

  #keyOf (address: string): string {
    return this.#counts.has(address) || this.#counts.size < MOST_ADDRESSES ? address : OVERFLOW
  }
}

/** Gives the class of a store over these counts, as @fastify/rate-limit asks for one. */
export function storeOf (counts: AddressCounts, clock: Clock): FastifyRateLimitStoreCtor {
  return class implements FastifyRateLimitStore {
    incr (address: string, callback: Parameters<FastifyRateLimitStore['incr']>[1]): void {
      callback(null, { current: counts.add(address), ttl: counts.resetAt - clock.now() })
    }

    child (): this {
      return this
    }
  }
}
