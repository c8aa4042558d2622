import type { components } from '../../generated/server.js'
import type { Page, PageRequest } from './pages.js'
import type { PetStatus } from './pets.js'

export type InventoryItem = components['schemas']['InventoryItem']
export type InventoryUpdate = components['schemas']['InventoryUpdate']

/**
 * The port to what is in stock of each pet. An available pet of which nothing is in stock is pending, and available
 * again as soon as something is. Each method rejects with StorageUnavailable when the storage fails.
 */
export interface InventoryRepository {
  /** The stock in the order of the pets' ids. */
  list(filter: PageRequest & { status?: PetStatus | undefined }): Promise<Page<InventoryItem>>
  /**
   * Sets how many of a pet can be ordered. When it resolves, the change is durable; undefined when there is no such
   * pet.
   */
  update(petId: InventoryItem['petId'], change: InventoryUpdate): Promise<InventoryItem | undefined>
}
