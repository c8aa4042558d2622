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
