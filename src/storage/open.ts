import type { ApiKeyRepository } from '../domain/api-keys.js'
import type { PetRepository } from '../domain/pets.js'
import type { UsageRepository } from '../domain/usage.js'
import { apiKeyRepository } from './api-keys.js'
import type { Database } from './database.js'
import { petRepository } from './pets.js'
import type { SharedUsageOptions } from './redis-usage.js'
import { sharedLookUps } from './shared-look-ups.js'
import { openSqlite } from './sqlite.js'
import { embeddedUsage } from './usage.js'

/** Every repository, over one database. */
export interface Repositories { pets: PetRepository, apiKeys: ApiKeyRepository, usage: UsageRepository }

export interface Storage {
  repositories: Repositories
  /** What the operator should know of the way it is set up. */
  warnings: string[]
  /** Rejects with StorageUnavailable when the database does not answer. */
  ping (): Promise<void>
  /** Whether it does its work, but not as exactly as it should. */
  degraded (): boolean
  close (): Promise<void>
}

/** The CLI has time, and leaves the connections to the servers. */
const PATIENT = { deadline: 30_000, connections: 2 }

/** Where the servers that share a database count together, and who is told when they cannot. */
export type Shared = { redisUrl: string } & Pick<SharedUsageOptions, 'onChange' | 'callersTime'>

/**
 * Opens the database that a URL names: `sqlite:PATH`, whose owner is the server, while the CLI may open it beside; or `postgres://…`,
 * which any number of servers share. These count in Redis.
 * @throws {StartRefusal} with a sentence for the operator and the exit code
 */
export async function openStorage (url: string, { owner, shared }: { owner: boolean, shared?: Shared | undefined }): Promise<Storage> {
  const database = await openDatabase(url, { owner })
  try {
    const apiKeys = apiKeyRepository(database)
    const { usage, ...counters } = shared ? await sharedCounters(database, shared) : ownCounters(database)
    return {
      repositories: { pets: petRepository(database), apiKeys: shared ? sharedLookUps(apiKeys) : apiKeys, usage },
      warnings: counters.warnings,
      ping: () => database.ping(),
      degraded: counters.degraded,
      close: () => counters.close().finally(() => database.close())
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** @throws {StartRefusal} */
export async function openDatabase (url: string, { owner }: { owner: boolean }): Promise<Database> {
  if (url.startsWith('sqlite:')) return openSqlite(url.slice('sqlite:'.length), { owner })
  // Loaded here, so that who needs none of it does not wait for it.
  const { openPostgres } = await import('./postgres.js')
  return await openPostgres(url, owner ? {} : PATIENT)
}

type Counters = Pick<Storage, 'warnings' | 'degraded' | 'close'> & { usage: UsageRepository }

function ownCounters (database: Database): Counters {
  const usage = embeddedUsage(database)
  return { usage, warnings: [], degraded: () => false, close: () => usage.flush() }
}

async function sharedCounters (database: Database, { redisUrl, ...options }: Shared): Promise<Counters> {
  const { asRefusal, connectRedis, evictionOf } = await import('./redis.js')
  const { redisUsage } = await import('./redis-usage.js')
  const redis = await connectRedis(redisUrl)
  try {
    const eviction = await evictionOf(redis)
    const usage = await redisUsage({ database, redis, ...options })
    return { usage, warnings: eviction === undefined ? [] : [eviction], degraded: () => usage.degraded(), close: () => usage.close() }
  } catch (error) {
    redis.disconnect()
    throw asRefusal(redisUrl, error as Error)
  }
}
