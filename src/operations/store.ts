import { ApiError, type ErrorCode } from '../domain/errors.js'
import type { InventoryRepository } from '../domain/inventory.js'
import type { OrderRefusal, OrderRepository } from '../domain/orders.js'
import type { Handlers } from './handlers.js'
import { pagesOf } from './pages.js'

export interface StoreDependencies {
  orders: OrderRepository
  inventory: InventoryRepository
}

type StoreHandlers = Pick<Handlers, 'listOrders' | 'placeOrder' | 'cancelOrder' | 'listInventory' | 'updateInventory'>

const REFUSALS: Record<OrderRefusal, [ErrorCode, string]> = {
  'unknown pet': ['not_found', 'There is no pet with this id.'],
  sold: ['conflict', 'This pet is sold.'],
  'too few in stock': ['conflict', 'There is not enough of this pet in stock.']
}

/** Gives the handlers of the tag Store. */
export function storeHandlers ({ orders, inventory }: StoreDependencies): StoreHandlers {
  return {
    listOrders: pagesOf(orders.list),

    async placeOrder ({ body }) {
      const order = await orders.place(body)
      if (typeof order === 'string') throw new ApiError(...REFUSALS[order])
      return order
    },

    async cancelOrder ({ params }) {
      const outcome = await orders.cancel(params.orderId)
      if (outcome === 'unknown order') throw new ApiError('not_found', 'There is no order with this id.')
      if (outcome === 'complete') throw new ApiError('conflict', 'This order is complete. It cannot be cancelled.')
    },

    listInventory: pagesOf(inventory.list),

    async updateInventory ({ params, body }) {
      const item = await inventory.update(params.petId, body)
      if (!item) throw new ApiError(...REFUSALS['unknown pet'])
      return item
    }
  }
}
