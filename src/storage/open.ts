import type { ApiKeyRepository } from '../domain/api-keys.js'
import type { CategoryRepository } from '../domain/categories.js'
import type { IdempotencyRepository } from '../domain/idempotency.js'
import type { InventoryRepository } from '../domain/inventory.js'
import type { OrderRepository } from '../domain/orders.js'
import type { PetRepository } from '../domain/pets.js'
import type { UsageRepository } from '../domain/usage.js'
import { apiKeyRepository } from './api-keys.js'
import { atomic } from './atomic.js'
import { categoryRepository } from './categories.js'
import { idempotencyRepository } from './idempotency.js'
import { inventoryRepository } from './inventory.js'
import { orderRepository } from './orders.js'
import { petRepository } from './pets.js'
import { openSqlite } from './sqlite.js'
import { embeddedUsage } from './usage.js'

/** Every repository, over one database. */
export interface Repositories {
  pets: PetRepository
  categories: CategoryRepository
  orders: OrderRepository
  inventory: InventoryRepository
  apiKeys: ApiKeyRepository
  usage: UsageRepository
  idempotency: IdempotencyRepository
}

export interface Storage {
  repositories: Repositories
  /** Rejects with StorageUnavailable when the database does not answer. */
  ping (): Promise<void>
  close (): Promise<void>
}

/**
 * Opens the database that a URL names (`sqlite:PATH`). The server is its owner; the CLI may open it beside.
 * @throws {StartRefusal} with a sentence for the operator and the exit code
 */
export function openStorage (url: string, access: { owner: boolean }): Storage {
  const database = atomic(openSqlite(url.slice('sqlite:'.length), access))
  const usage = embeddedUsage(database)
  return {
    repositories: {
      pets: petRepository(database),
      categories: categoryRepository(database),
      orders: orderRepository(database),
      inventory: inventoryRepository(database),
      apiKeys: apiKeyRepository(database),
      usage,
      idempotency: idempotencyRepository(database)
    },
    ping: () => database.ping(),
    close: () => usage.flush().finally(() => database.close())
  }
}
