import { Redis } from 'ioredis'
import { asRefusal, RedisFailure } from './failure.js'

/**
 * Connects to Redis. While it is away every command fails at once, none is kept back or sent again, and the connection
 * is tried again ten times a second; also when it says that it has become a replica, because the address may lead to
 * another one by then.
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
    // The servers show each other that they are there several times a second, so silence means that nobody is behind
    // the connection.
    socketTimeout: 2_000,
    retryStrategy: () => 100,
    reconnectOnError: ({ message }) => message.startsWith('READONLY')
  })
  let cause: Error | undefined
  // Told of what breaks the connection; the commands tell it too. Without a listener the client would write to the
  // console.
  redis.on('error', (error) => {
    cause = error
  })
  try {
    await redis.connect()
    // The client chooses the database by itself, and says nothing when there is none of that number.
    await redis.select(redis.options.db ?? 0)
    return redis
  } catch (error) {
    redis.disconnect()
    throw asRefusal(url, new RedisFailure(cause ?? (error as Error)))
  }
}

/**
 * Lists what the operator should know of the way a Redis is set up: that it may drop counters to save memory.
 * @throws {RedisFailure} when it does not say, as to a user who may not ask
 */
export async function warningsOf (redis: Redis): Promise<string[]> {
  const memory = await redis.info('memory').catch((error: Error) => {
    throw new RedisFailure(error)
  })
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1]
  if (policy === undefined || policy === 'noeviction') return []
  return [
    `Redis has maxmemory-policy ${policy}: short of memory it drops counters, ` +
      'and their keys get back what they used in the last seconds; set it to noeviction'
  ]
}
