import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import type { Clock } from '../../domain/clock.js'
import { MINUTE, windowEnd, windowStart } from '../../domain/windows.js'

type Callback = Parameters<FastifyRateLimitStore['incr']>[1]

/**
 * Memory is bounded by this many addresses a minute; those beyond it share one count, so that no flood frees anybody's.
 */
const MOST_ADDRESSES = 50_000
const OVERFLOW = ''

/** Counts of the current UTC minute by address, in the form that @fastify/rate-limit asks of a store. */
export class AddressStore implements FastifyRateLimitStore {
  readonly #clock: Clock
  readonly #used = new Map<string, number>()
  #start = 0

  constructor (clock: Clock) {
    this.#clock = clock
  }

  incr (address: string, callback: Callback): void {
    this.#turn()
    const key = this.#keyOf(address)
    this.#used.set(key, this.used(address) + 1)
    this.read(address, callback)
  }

  read (address: string, callback: Callback): void {
    const current = this.used(address)
    callback(null, { current, ttl: windowEnd(this.#start, MINUTE) - this.#clock.now() })
  }

  child (): this {
    return this
  }

  /** How often the address was counted in this minute. */
  used (address: string): number {
    this.#turn()
    return this.#used.get(this.#keyOf(address)) ?? 0
  }

  #turn (): void {
    const start = windowStart(this.#clock.now(), MINUTE)
    if (start === this.#start) return
    this.#start = start
    this.#used.clear()
  }

  #keyOf (address: string): string {
    return this.#used.has(address) || this.#used.size < MOST_ADDRESSES ? address : OVERFLOW
  }
}
