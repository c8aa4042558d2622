import type { components } from '../../generated/server.js'
import type { Page } from './pages.js'

export type Pet = components['schemas']['Pet']
export type NewPet = components['schemas']['NewPet']
export type PetStatus = components['schemas']['PetStatus']

/** The port to the stored pets. Each method rejects with StorageUnavailable when the storage fails. */
export interface PetRepository {
  /** Stores a pet under a new id. When it resolves, the pet is durable. */
  create (pet: NewPet): Promise<Pet>
  /** undefined when there is no such pet. */
  find (id: Pet['id']): Promise<Pet | undefined>
  /** Pets in the order of their ids: at most `limit`, beginning behind the id `after`. */
  list (filter: { limit: number, after?: Pet['id'] | undefined, status?: PetStatus | undefined }): Promise<Page<Pet>>
}
