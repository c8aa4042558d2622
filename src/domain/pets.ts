import type { components } from '../../generated/server.js'
import type { Awaitable } from './awaitable.js'
import type { Page, PageRequest } from './pages.js'

export type Pet = components['schemas']['Pet']
export type NewPet = components['schemas']['NewPet']
export type PetStatus = components['schemas']['PetStatus']

/** The port to the stored pets. Each method rejects with StorageUnavailable when the storage fails. */
export interface PetRepository {
  /** Stores a pet under a new id, one of it in stock. When it resolves, the pet is durable. */
  create(pet: NewPet): Promise<Pet>
  /** undefined when there is no such pet. */
  find(id: Pet['id']): Awaitable<Pet | undefined>
  /** Pets in the order of their ids. */
  list(filter: PageRequest & { status?: PetStatus | undefined }): Awaitable<Page<Pet>>
}

export type Category = components['schemas']['Category']
export type NewCategory = components['schemas']['NewCategory']

/** The port to the stored categories. Each method rejects with StorageUnavailable when the storage fails. */
export interface CategoryRepository {
  /** Stores a category under a new id. When it resolves, the category is durable. */
  create(category: NewCategory): Promise<Category>
  /** Categories in the order of their ids. */
  list(page: PageRequest): Awaitable<Page<Category>>
}
