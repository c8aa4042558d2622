import type { ApiKeyRepository } from '../../domain/api-keys.js'
import { SingleFlight } from '../scheduling/single-flight.js'

/**
 * Lets requests with the same secret share their look-ups (single flight), so that a storm of one caller does not keep
 * the database from the others. None is answered by a look-up that began before the request arrived, so a key that is
 * revoked is refused from the next request on.
 */
export function singleFlightLookUps (apiKeys: ApiKeyRepository): ApiKeyRepository {
  const lookUps = new SingleFlight((hash: string) => apiKeys.findByHash(hash))
  return { ...apiKeys, findByHash: (hash) => lookUps.joinNext(hash) }
}
