import type { ApiKey, ApiKeyRepository } from '../../domain/api-keys.js'

type LookUp = Promise<ApiKey | undefined>

/**
 * Requests with the same secret share their look-ups, so that a storm of one caller does not keep the database from the
 * others: one runs at a time, and who arrives meanwhile shares the one after it. So none is answered by a look-up that
 * began before it arrived, and a key that is revoked is refused from the next request on. When one fails, those who
 * wait for it to end fail with it.
 */
export function sharedLookUps (apiKeys: ApiKeyRepository): ApiKeyRepository {
  const running = new Map<string, LookUp>()
  const next = new Map<string, LookUp>()
  const begin = (name: string, hash: Buffer): LookUp => {
    const lookUp = apiKeys.findByHash(hash).finally(() => running.delete(name))
    running.set(name, lookUp)
    return lookUp
  }
  const beginAfter = async (before: LookUp, name: string, hash: Buffer): LookUp => {
    try {
      await before
    } finally {
      next.delete(name)
    }
    return await begin(name, hash)
  }
  return {
    ...apiKeys,
    findByHash (hash) {
      const name = hash.toString('base64')
      const before = running.get(name)
      if (!before) return next.get(name) ?? begin(name, hash)
      const shared = next.get(name) ?? beginAfter(before, name, hash)
      next.set(name, shared)
      return shared
    }
  }
}
