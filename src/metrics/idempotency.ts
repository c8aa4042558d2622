import { Counter, type Registry } from 'prom-client'
import type { IdempotencyRepository, Kept, NamedRequest } from '../domain/idempotency.js'

/** Gives a repository that does the same, and counts what became of each request that has an Idempotency-Key. */
export function countedIdempotency (registry: Registry, repository: IdempotencyRepository): IdempotencyRepository {
  const requests = new Counter({
    name: 'petstore_idempotent_requests_total',
    help:
      'Requests with an Idempotency-Key, by outcome: miss for the first, hit for one that was answered as before, ' +
      'mismatch for another request under the same key.',
    labelNames: ['outcome'],
    registers: [registry]
  })
  for (const outcome of ['miss', 'hit', 'mismatch']) requests.inc({ outcome }, 0)
  const count = ({ fingerprint }: NamedRequest, kept: Kept): Kept => {
    if (kept.fingerprint !== fingerprint) requests.inc({ outcome: 'mismatch' })
    else requests.inc({ outcome: kept.replayed ? 'hit' : 'miss' })
    return kept
  }
  return {
    async find (request, now) {
      const kept = await repository.find(request, now)
      return kept && count(request, kept)
    },
    async once (request, now, work) {
      return count(request, await repository.once(request, now, work))
    }
  }
}
