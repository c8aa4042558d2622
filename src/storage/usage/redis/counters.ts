import type { Redis, Result } from 'ioredis'
import type { Clock } from '../../../domain/clock.js'
import { within } from '../../scheduling/deadline.js'
import type { LocalCount, Membership, Reading, Report } from '../local.js'
import { RedisFailure } from './failure.js'
import { runOf } from './run.js'
import { CHARGE, HEARTBEAT, REPORT } from './scripts.js'

/** How long a command may take, in milliseconds, before Redis counts as lost. */
const DEADLINE = 200

/** How the counters in Redis are used. */
export interface RedisCountersOptions {
  /** What the counters go by; Redis' own clock without it. */
  clock?: Clock | undefined
  /** How many milliseconds a command may take before Redis counts as lost. */
  deadline?: number | undefined
}

const SERVERS = 'petstore:servers'
/** All that belongs to a key of the API lies in one hash slot. */
const hashOf = (keyId: string): string => `petstore:usage:{${keyId}}`

type Reply = [at: number, minute: number, day: number, strikes: number]
type WindowReport = [start: number, used: number, unreported: number, reportId: string]

declare module 'ioredis' {
  interface RedisCommander<Context> {
    petstoreCharge(
      key: string,
      now: number | '',
      run: string,
      perMinute: number,
      perDay: number,
      bannedUntil: number
    ): Result<Reply | null, Context>
    petstoreReport(
      key: string,
      now: number | '',
      run: string,
      ...windows: [...minute: WindowReport, ...day: WindowReport]
    ): Result<Reply, Context>
    petstoreHeartbeat(key: string, server: string): Result<[servers: number, rank: number], Context>
  }
}

/** The counters in Redis. Each method rejects with {@link RedisFailure} when Redis fails or does not answer in time. */
export class RedisCounters {
  readonly #redis: Redis
  readonly #run: () => Promise<string>
  readonly #now: () => number | ''
  readonly #deadline: number
  /** Why there is no connection. */
  #broken: Error | undefined

  constructor (redis: Redis, { clock, deadline = DEADLINE }: RedisCountersOptions = {}) {
    this.#redis = redis
    this.#run = runOf(redis)
    this.#deadline = deadline
    this.#now = () => clock?.now() ?? ''
    for (const [name, lua] of Object.entries({
      petstoreCharge: CHARGE,
      petstoreReport: REPORT,
      petstoreHeartbeat: HEARTBEAT
    })) {
      redis.defineCommand(name, { numberOfKeys: 1, lua })
    }
    redis.on('ready', () => {
      this.#broken = undefined
    })
    redis.on('error', (error) => {
      this.#broken = error
    })
    redis.on('close', () => {
      this.#broken ??= new Error('Redis closed the connection.')
    })
  }

  /**
   * Decides on a request of a key and counts it, and resolves with the counters before it; with undefined, without
   * counting, when there are none of this key, or only such as may be older than what was used.
   */
  async charge (
    keyId: string,
    { perMinute, perDay, bannedUntil }: { perMinute: number; perDay: number; bannedUntil: number }
  ): Promise<Reading | undefined> {
    const reply = await this.#soon(async () => {
      const run = await this.#run()
      return await this.#redis.petstoreCharge(hashOf(keyId), this.#now(), run, perMinute, perDay, bannedUntil)
    })
    return reply === null ? undefined : toReading(reply)
  }

  /**
   * Raises the counters of a key to what a server knows of them, and adds the requests that it admitted by itself, each
   * once however often it is reported. Resolves with the counters after that.
   */
  async report (keyId: string, { minute, day }: Report): Promise<Reading> {
    const told = ({ start, used, unreported, reportId }: LocalCount): WindowReport => [
      start,
      used,
      unreported,
      reportId
    ]
    const reply = await this.#soon(async () => {
      const run = await this.#run()
      return await this.#redis.petstoreReport(hashOf(keyId), this.#now(), run, ...told(minute), ...told(day))
    })
    return toReading(reply)
  }

  /** Shows that a server is there, and resolves with how many there are. */
  async heartbeat (server: string): Promise<Membership> {
    const [servers, rank] = await this.#soon(() => this.#redis.petstoreHeartbeat(SERVERS, server))
    return { servers, rank }
  }

  /** Takes a server out of the count at once. */
  async leave (server: string): Promise<void> {
    await this.#soon(() => this.#redis.zrem(SERVERS, server))
  }

  async #soon<Reply>(ask: () => Promise<Reply>): Promise<Reply> {
    try {
      return await within(this.#deadline, ask(), () => new Error(`Redis did not answer within ${this.#deadline} ms.`))
    } catch (error) {
      throw new RedisFailure(this.#broken ?? (error as Error))
    }
  }
}

function toReading ([at, minute, day, strikes]: Reply): Reading {
  return { at, used: { minute, day }, strikes }
}
