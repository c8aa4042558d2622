import { Redis } from 'ioredis'
import { EXIT_TEMPORARY, StartRefusal } from '../domain/start-refusal.js'

/**
 * Connects to Redis. While it is away every command fails at once, none is kept back or sent again, and the connection is tried again
 * five times a second.
 * @throws {StartRefusal} when it cannot be reached at the start
 */
export async function connectRedis (url: string): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectionName: 'petstore',
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: 1_000,
    // The servers show each other that they are there several times a second, so silence means that nobody is behind the connection.
    socketTimeout: 2_000,
    retryStrategy: () => 200
  })
  let cause: (Error & { code?: string }) | undefined
  // Told of what breaks the connection; the commands tell it too. Without a listener the client would write to the console.
  redis.on('error', (error) => { cause ??= error })
  try {
    await redis.connect()
    return redis
  } catch (error) {
    redis.disconnect()
    throw asRefusal(url, cause ?? error as Error)
  }
}

/** What the operator should know of a Redis that may drop counters to save memory; undefined when it does not. */
export async function evictionOf (redis: Redis): Promise<string | undefined> {
  const memory = await redis.info('memory').catch(() => '') // a user who may not ask
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1]
  if (policy === undefined || policy === 'noeviction') return undefined
  return `Redis has maxmemory-policy ${policy}: short of memory it drops counters, and their keys get back what they used in the last seconds; set it to noeviction`
}

/** A sentence for a Redis that cannot be used; it names the host, and never the password. */
export function asRefusal (url: string, { message, code }: Error & { code?: string }): StartRefusal {
  const { host } = new URL(url)
  if (/^(WRONGPASS|NOAUTH|NOPERM)|without any password|invalid.*password/i.test(message)) return new StartRefusal(`The Redis ${host} refuses the login. Correct the user or the password in REDIS_URL.`)
  return new StartRefusal(`The Redis ${host} cannot be used (${code ?? message}). Start it, or correct REDIS_URL.`, EXIT_TEMPORARY)
}
