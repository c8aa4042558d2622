import type { components } from '../../generated/server.js'
import type { Page, PageRequest } from './pages.js'

export type Order = components['schemas']['Order']
export type NewOrder = components['schemas']['NewOrder']

/** Why an order is not taken. */
export type OrderRefusal = 'unknown pet' | 'sold' | 'too few in stock'

/**
 * The port to the stored orders. An order and the stock that it takes change together or not at all, and what a method
 * resolves with is durable. Each method rejects with StorageUnavailable when the storage fails.
 */
export interface OrderRepository {
  /** Takes the quantity from the stock of the pet and stores the order under a new id, or says why not. */
  place(order: NewOrder): Promise<Order | OrderRefusal>
  /**
   * Removes an open order and gives its quantity back to the stock, once however often it is asked for at the same
   * time.
   */
  cancel(id: Order['id']): Promise<'cancelled' | 'unknown order' | 'complete'>
  /**
   * Completes an order; one that is complete stays as it is. The pet is sold when nothing of it is in stock and no
   * other order of it is open. undefined when there is no such order.
   */
  complete(id: Order['id']): Promise<Order | undefined>
  /** undefined when there is no such order. */
  find(id: Order['id']): Promise<Order | undefined>
  /** Orders in the order of their ids. */
  list(page: PageRequest): Promise<Page<Order>>
}
