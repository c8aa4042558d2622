import type { components } from '../../generated/server.js'
import type { Awaitable } from './awaitable.js'
import type { Page, PageRequest } from './pages.js'

export type Category = components['schemas']['Category']
export type NewCategory = components['schemas']['NewCategory']

/** The port to the stored categories. Each method rejects with StorageUnavailable when the storage fails. */
export interface CategoryRepository {
  /** Stores a category under a new id. When it resolves, the category is durable. */
  create(category: NewCategory): Promise<Category>
  /** Categories in the order of their ids. */
  list(page: PageRequest): Awaitable<Page<Category>>
}
