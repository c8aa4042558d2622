import type { UsageRepository } from '../../domain/usage.js'
import type { Database } from '../database/database.js'
import { embeddedUsage } from './embedded.js'
import type { SharedUsageOptions } from './shared.js'

/** Where the servers that share a database count together, and who is told when they cannot. */
export type Shared = { redisUrl: string } & Pick<SharedUsageOptions, 'onChange' | 'onUnsaved' | 'clock'>

/** The counters of the limits, opened. */
export interface Counters {
  usage: UsageRepository
  /** What the operator should know of the way they are set up. */
  warnings: string[]
  /** Whether they count, but not as exactly as they should. */
  degraded(): boolean
  /** Writes how many requests were admitted, exactly, for people to see. */
  saveAdmitted(): Promise<void>
  /** Makes what they know durable. */
  close(): Promise<void>
}

/**
 * Opens the counters of the limits: those of one server in its database, or those that several servers share in Redis.
 * One server tells `onUnsaved` when they cannot be made durable.
 * @throws {StartRefusal} when Redis cannot be used
 */
export async function openCounters (
  database: Database,
  shared: Shared | undefined,
  onUnsaved?: (cause: Error) => void
): Promise<Counters> {
  if (shared) return await sharedCounters(database, shared)
  const usage = embeddedUsage(database, { onUnsaved })
  const { saveAdmitted, flush: close } = usage
  return { usage, warnings: [], degraded: () => false, saveAdmitted, close }
}

async function sharedCounters (database: Database, { redisUrl, ...options }: Shared): Promise<Counters> {
  // Loaded here, so that who needs none of it does not wait for it.
  const { connectRedis, warningsOf } = await import('./redis/connect.js')
  const { asRefusal } = await import('./redis/failure.js')
  const { sharedUsage } = await import('./shared.js')
  const redis = await connectRedis(redisUrl)
  try {
    const warnings = await warningsOf(redis)
    const usage = await sharedUsage({ database, redis, ...options })
    const { degraded, saveAdmitted } = usage
    return { usage, warnings, degraded, saveAdmitted, close: () => usage.close() }
  } catch (error) {
    redis.disconnect()
    throw asRefusal(redisUrl, error)
  }
}
