import type { ApiKeyRepository } from '../domain/api-keys.js'
import type { IdempotencyRepository } from '../domain/idempotency.js'
import type { PetRepository } from '../domain/pets.js'
import type { UsageRepository } from '../domain/usage.js'
import { apiKeyRepository } from './api-keys.js'
import { atomic } from './atomic.js'
import { idempotencyRepository } from './idempotency.js'
import { petRepository } from './pets.js'
import { openSqlite } from './sqlite.js'
import { embeddedUsage } from './usage.js'

/** Every repository, over one database. */
export interface Repositories { pets: PetRepository, apiKeys: ApiKeyRepository, usage: UsageRepository, idempotency: IdempotencyRepository }

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
    repositories: { pets: petRepository(database), apiKeys: apiKeyRepository(database), usage, idempotency: idempotencyRepository(database) },
    ping: () => database.ping(),
    close: () => usage.flush().finally(() => database.close())
  }
}
