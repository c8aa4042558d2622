import type { Interceptor, Operation, SerializedResponse } from '../../contract/index.js'
import type { Clock } from '../../domain/clock.js'
import { ApiError } from '../../domain/errors.js'
import { fingerprintOf, keyOf, type IdempotencyRepository, type KeptAnswer } from '../../domain/idempotency.js'

/**
 * Safe retries (draft-ietf-httpapi-idempotency-key-header) of every operation for which the document declares the
 * header Idempotency-Key: a request that is sent again is answered with the answer to the first, and done once. Only
 * what was done is kept: after a refusal nothing was, and the request may be sent again, corrected or not; after a
 * fault it may have been, and the same request is answered with what was done. Only on one server is a second refused
 * while the first is answered; on another it waits.
 */
export function idempotency ({ repository, clock }: { repository: IdempotencyRepository; clock: Clock }): Interceptor {
  const underWay = new Set<string>()
  const alone = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    if (underWay.has(name)) throw new ApiError('idempotency_key_in_use', undefined, { 'Retry-After': '1' })
    underWay.add(name)
    try {
      return await work()
    } finally {
      underWay.delete(name)
    }
  }
  return async (request, work) => {
    const header = request.headers['idempotency-key']
    if (typeof header !== 'string' || !declares(request.routeOptions.config.operation!)) return await work()

    const named = { caller: request.apiKey?.id ?? request.ip, key: keyOf(header), fingerprint: fingerprintOf(request) }
    const { answer, fingerprint, replayed } =
      (await repository.find(named, clock.now())) ??
      (await alone(`${named.caller} ${named.key}`, () =>
        repository.once(named, clock.now(), async () => keepable(await work()))
      ))
    if (fingerprint !== named.fingerprint) throw new ApiError('idempotency_key_reused')
    return replayed ? { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } } : answer
  }
}

/** Only text can be kept with the transaction that it belongs to. */
function keepable ({ status, headers, body }: SerializedResponse): KeptAnswer {
  if (body !== undefined && typeof body !== 'string') {
    throw new Error('An operation with an Idempotency-Key must answer with text.')
  }
  return { status, headers, body }
}

function declares ({ parameters }: Operation): boolean {
  return parameters.some((parameter) => parameter.in === 'header' && parameter.name.toLowerCase() === 'idempotency-key')
}
