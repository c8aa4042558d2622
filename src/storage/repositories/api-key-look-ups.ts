import type { ApiKey, ApiKeyRepository } from '../../domain/api-keys.js'
import { andThen } from '../../domain/awaitable.js'
import type { LocalDatabase } from '../database/database.js'
import { SingleFlight } from '../scheduling/single-flight.js'

/** The most keys that are kept in memory; about 500 bytes each. */
const MOST_KEPT = 100_000

/**
 * Lets requests with the same secret share their look-ups (single flight), so that a storm of one caller does not keep
 * the database from the others. None is answered by a look-up that began before the request arrived, so a key that is
 * revoked is refused from the next request on.
 */
export function singleFlightLookUps (apiKeys: ApiKeyRepository): ApiKeyRepository {
  const lookUps = new SingleFlight(async (hash: string) => await apiKeys.findByHash(hash))
  return { ...apiKeys, findByHash: (hash) => lookUps.joinNext(hash) }
}

/**
 * Keeps the keys that were found in a local database in memory, until any key is changed there, by whatever process: a
 * key that is revoked is refused from the next request on.
 */
export function keptLookUps (apiKeys: ApiKeyRepository, database: LocalDatabase): ApiKeyRepository {
  const kept = new Map<string, ApiKey>()
  for (const table of ['api_keys', 'previous_secrets']) database.watch(table, () => kept.clear())
  return {
    ...apiKeys,
    findByHash (hash) {
      database.catchUp()
      return kept.get(hash) ?? andThen(apiKeys.findByHash(hash), (key) => {
        if (kept.size >= MOST_KEPT) kept.clear()
        if (key) kept.set(hash, key)
        return key
      })
    }
  }
}
