import type { operations } from '../../generated/server.js'
import type { HandlersOf } from '../contract/index.js'
import { petHandlers, type PetDependencies } from './pets.js'
import { storeHandlers, type StoreDependencies } from './store.js'

/** One handler for each operation of the document: a missing, extra or mistyped one does not compile. */
export type Handlers = HandlersOf<operations>

export type Dependencies = PetDependencies & StoreDependencies

/** Every handler of the service, a file for each tag of the document. */
export function handlersOf (dependencies: Dependencies): Handlers {
  return {
    ...petHandlers(dependencies),
    ...storeHandlers(dependencies)
  }
}
