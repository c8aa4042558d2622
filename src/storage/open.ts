import type { ApiKeyRepository } from '../domain/api-keys.js'
import type { IdempotencyRepository } from '../domain/idempotency.js'
import type { InventoryRepository } from '../domain/inventory.js'
import type { OrderRepository } from '../domain/orders.js'
import type { CategoryRepository, PetRepository } from '../domain/pets.js'
import type { DailyUsageRepository } from '../domain/api-keys/daily-usage.js'
import type { KeyHistoryRepository } from '../domain/api-keys/history.js'
import type { PoolState } from '../domain/storage/observer.js'
import type { UsageGathering, UsageRepository } from '../domain/usage.js'
import { apiKeyRepository } from './repositories/api-keys.js'
import { atomic } from './database/atomic.js'
import { categoryRepository } from './repositories/categories.js'
import { openCounters, type Counters, type Shared } from './usage/open.js'
import { AnswerCounts } from './usage/answer-counts.js'
import { CountingServer } from './usage/counting-server.js'
import { readDays } from './usage/daily-table.js'
import { gatherCounts } from './usage/gathering.js'
import { idempotencyRepository } from './repositories/idempotency.js'
import { inventoryRepository } from './repositories/inventory.js'
import { upkeepOf } from './database/database.js'
import { openDatabase, type OpenDatabaseOptions } from './database/open.js'
import { keyHistoryRepository } from './repositories/key-history.js'
import { orderRepository } from './repositories/orders.js'
import { petRepository } from './repositories/pets.js'
import { singleFlightLookUps } from './repositories/api-key-look-ups.js'

/** Every repository, over one database. */
export interface Repositories {
  pets: PetRepository
  categories: CategoryRepository
  orders: OrderRepository
  inventory: InventoryRepository
  apiKeys: ApiKeyRepository
  keyHistory: KeyHistoryRepository
  usage: UsageRepository & UsageGathering
  dailyUsage: DailyUsageRepository
  idempotency: IdempotencyRepository
}

/** Everything that is stored, opened. */
export interface Storage extends Pick<Counters, 'warnings' | 'degraded'> {
  repositories: Repositories
  /** Rejects with StorageUnavailable when the database does not answer; else tells whether it can write too. */
  ping(): Promise<{ writable: boolean }>
  /** Tells how the connections to a database server are used; undefined where it needs none. */
  pool(): PoolState | undefined
  close(): Promise<void>
}

export interface OpenOptions extends OpenDatabaseOptions {
  /** Where the servers that share the database count. */
  shared?: Shared | undefined
  /** Is told when the counts of a server that counts by itself cannot be made durable. */
  onUnsaved?: (cause: Error) => void
  /** Is told when what keys use by day cannot be written. */
  onUnwritten?: (cause: Error) => void
}

/**
 * Opens the database that a URL names, and the counters: in the database, or in Redis when it is shared.
 * @throws {StartRefusal} with a sentence for the operator and the exit code
 */
export async function openStorage (
  url: string,
  { owner, create, anew, shared, onUnsaved, onUnwritten, observer }: OpenOptions
): Promise<Storage> {
  const database = atomic(await openDatabase(url, { owner, create, anew, observer }))
  let counters: Counters | undefined
  try {
    counters = await openCounters(database, shared, onUnsaved)
    const { usage, warnings, degraded, saveAdmitted, close: closeCounters } = counters
    const apiKeys = apiKeyRepository(database)
    const answers = new AnswerCounts()
    const isServer = owner || shared !== undefined
    const server = isServer
      ? await CountingServer.join(upkeepOf(database), answers, { alone: owner && !shared, saveAdmitted, onUnwritten })
      : undefined
    return {
      repositories: {
        pets: petRepository(database),
        categories: categoryRepository(database),
        orders: orderRepository(database),
        inventory: inventoryRepository(database),
        apiKeys: shared ? singleFlightLookUps(apiKeys) : apiKeys,
        keyHistory: keyHistoryRepository(database, apiKeys),
        usage: { ...usage, gather: (now) => gatherCounts(database, now) },
        dailyUsage: {
          note: (keyId, status, at) => answers.note(keyId, status, at),
          daysFrom: (keyId, day) => readDays(database, keyId, day)
        },
        idempotency: idempotencyRepository(database)
      },
      warnings,
      degraded,
      pool: () => database.pool?.(),
      ping: () => database.ping(),
      async close () {
        const outcomes = await Promise.allSettled([closeCounters(), server?.leave()])
        await database.close()
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
      }
    }
  } catch (error) {
    await counters?.close().catch(() => {})
    await database.close()
    throw error
  }
}
