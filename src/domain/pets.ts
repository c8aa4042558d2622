import type { components } from '../../generated/server.js'
import type { Page, PageRequest } from './pages.js'
import type { Snapshot } from './snapshot.js'

export type Pet = components['schemas']['Pet']
export type NewPet = components['schemas']['NewPet']
export type PetStatus = components['schemas']['PetStatus']

/** The port to the stored pets. Each method rejects with StorageUnavailable when the storage fails. */
export interface PetRepository {
  /** Stores a pet under a new id, one of it in stock. When it resolves, the pet is durable. */
  create(pet: NewPet): Promise<Pet>
  /** Stores some hundreds of pets at most as {@link create} does, all of them or none, under ids in their order. */
  createAll(pets: NewPet[]): Promise<void>
  /** undefined when there is no such pet. */
  find(id: Pet['id']): Promise<Snapshot<Pet> | undefined>
  /** Pets in the order of their ids. */
  list(filter: PageRequest & { status?: PetStatus | undefined }): Promise<Page<Pet>>
}

export type Category = components['schemas']['Category']
export type NewCategory = components['schemas']['NewCategory']

/** The port to the stored categories. Each method rejects with StorageUnavailable when the storage fails. */
export interface CategoryRepository {
  /** Stores a category under a new id. When it resolves, the category is durable. */
  create(category: NewCategory): Promise<Category>
  /** Categories in the order of their ids. */
  list(page: PageRequest): Promise<Page<Category>>
}
