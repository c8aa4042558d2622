import type { Redis, Result } from 'ioredis'
import type { Clock } from '../../../domain/clock.js'
import type { Charged, Known, Place } from '../local.js'
import { RedisFailure } from './failure.js'
import { CHARGE, HEARTBEAT, RESTORE } from './scripts.js'
import type { WindowName } from '../table.js'
import { within } from '../../scheduling/deadline.js'

/** How long a command may take, in milliseconds, before Redis counts as lost. */
const DEADLINE = 200
const SERVERS = 'petstore:servers'
/** All that belongs to a key of the API lies in one hash slot. */
const hashOf = (keyId: string): string => `petstore:usage:{${keyId}}`

type Counted = [now: number, minute: number, day: number, strikes: number]
type Told = [start: number, used: number, more: number, debt: string]

declare module 'ioredis' {
  interface RedisCommander<Context> {
    petstoreCharge(
      key: string,
      now: number | '',
      perMinute: number,
      perDay: number,
      bannedUntil: number
    ): Result<Counted | null, Context>
    petstoreRestore(
      key: string,
      now: number | '',
      ...windows: [...minute: Told, ...day: Told]
    ): Result<Counted, Context>
    petstoreHeartbeat(key: string, server: string): Result<[servers: number, place: number], Context>
  }
}

/** The counters in Redis. Each method rejects with {@link RedisFailure} when Redis fails or does not answer in time. */
export class RedisCounters {
  readonly #redis: Redis
  readonly #now: () => number | ''
  /** Why there is no connection. */
  #broken: Error | undefined

  /** They go by Redis' own clock unless another is given. */
  constructor (redis: Redis, clock?: Clock) {
    this.#redis = redis
    this.#now = () => clock?.now() ?? ''
    for (const [name, lua] of Object.entries({
      petstoreCharge: CHARGE,
      petstoreRestore: RESTORE,
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

  /** undefined when there are none of this key, or only such as may be older than what was used. */
  async charge (
    keyId: string,
    limits: { perMinute: number; perDay: number; bannedUntil: number }
  ): Promise<Charged | undefined> {
    const reply = await this.#soon(
      this.#redis.petstoreCharge(hashOf(keyId), this.#now(), limits.perMinute, limits.perDay, limits.bannedUntil)
    )
    return reply === null ? undefined : toCharged(reply)
  }

  /** Tells them what is known of a key; what they were told before does not count twice. Gives what they say then. */
  async restore (keyId: string, { minute, day }: Record<WindowName, Known>): Promise<Charged> {
    const told = ({ start, used, more, debt }: Known): Told => [start, used, more, debt]
    return toCharged(
      await this.#soon(this.#redis.petstoreRestore(hashOf(keyId), this.#now(), ...told(minute), ...told(day)))
    )
  }

  async heartbeat (server: string): Promise<Place> {
    const [servers, place] = await this.#soon(this.#redis.petstoreHeartbeat(SERVERS, server))
    return { servers, place }
  }

  /** Takes a server out of the count at once. */
  async leave (server: string): Promise<void> {
    await this.#soon(this.#redis.zrem(SERVERS, server))
  }

  async #soon<Reply>(reply: Promise<Reply>): Promise<Reply> {
    try {
      return await within(DEADLINE, reply, () => new Error(`Redis did not answer within ${DEADLINE} ms.`))
    } catch (error) {
      throw new RedisFailure(this.#broken ?? (error as Error))
    }
  }
}

function toCharged ([at, minute, day, strikes]: Counted): Charged {
  return { at, used: { minute, day }, strikes }
}
