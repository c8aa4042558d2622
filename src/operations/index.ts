import type { Handlers } from './handlers.js'
import { petHandlers, type PetDependencies } from './pets.js'
import { storeHandlers, type StoreDependencies } from './store.js'

export type Dependencies = PetDependencies & StoreDependencies

/** Gives the handlers of all operations; those of each tag of the document stand in a file of their own. */
export function handlersOf (dependencies: Dependencies): Handlers {
  return {
    ...petHandlers(dependencies),
    ...storeHandlers(dependencies)
  }
}

type Targets = { [Id in keyof Handlers]?: (request: Parameters<Handlers[Id]>[0]) => Promise<unknown> }

/** Returns what looks up the target of an operation that rejects requests for a missing one, or for a final one. */
export function targetsOf ({ pets, orders }: Dependencies): Targets {
  return {
    cancelOrder: async ({ params }) => (await orders.find(params.orderId))?.complete === false,
    updateInventory: ({ params }) => pets.find(params.petId)
  }
}
