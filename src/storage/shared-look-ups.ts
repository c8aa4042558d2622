import type { ApiKey, ApiKeyRepository } from '../domain/api-keys.js'

/**
 * Requests with the same secret at the same time share one look-up, so that a storm of one caller does not keep the database from
 * the others. A look-up is as old as it takes, and none is kept: a key that is revoked is refused from the next one on.
 */
export function sharedLookUps (apiKeys: ApiKeyRepository): ApiKeyRepository {
  const under = new Map<string, Promise<ApiKey | undefined>>()
  return {
    ...apiKeys,
    findByHash (hash) {
      const name = hash.toString('base64')
      const shared = under.get(name)
      if (shared) return shared
      const lookUp = apiKeys.findByHash(hash).finally(() => under.delete(name))
      under.set(name, lookUp)
      return lookUp
    }
  }
}
