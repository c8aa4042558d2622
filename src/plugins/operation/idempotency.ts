import type { FastifyRequest } from 'fastify'
import type { Interceptor, Operation, SerializedResponse, Work } from '../../contract/index.js'
import type { Clock } from '../../domain/clock.js'
import { ApiError } from '../../domain/errors.js'
import { fingerprintOf, keyOf, type IdempotencyRepository, type KeptAnswer } from '../../domain/idempotency.js'

/**
 * Makes retries safe (draft-ietf-httpapi-idempotency-key-header) for every operation for which the document declares
 * the header Idempotency-Key: a request that is sent again is answered with the answer to the first, and done once.
 * Only what was done is kept: after a refusal nothing was, and the request may be sent again, corrected or not; after a
 * fault it may have been, and the same request is answered with what was done. Only on one server is a second refused
 * while the first is answered; on another it waits.
 */
export function idempotency ({ repository, clock }: { repository: IdempotencyRepository; clock: Clock }): Interceptor {
  const underWay = new Set<string>()
  const oneAtATime = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    if (underWay.has(name)) throw new ApiError('idempotency_key_in_use', undefined, { 'Retry-After': '1' })
    underWay.add(name)
    try {
      return await work()
    } finally {
      underWay.delete(name)
    }
  }
  const answerOnce = async (request: FastifyRequest, header: string, work: Work): Promise<SerializedResponse> => {
    const named = { caller: request.apiKey?.id ?? request.ip, key: keyOf(header), fingerprint: fingerprintOf(request) }
    const { answer, fingerprint, replayed } =
      (await repository.find(named, clock.now())) ??
      (await oneAtATime(`${named.caller} ${named.key}`, () =>
        repository.once(named, clock.now(), async () => keepable(await work(request)))
      ))
    if (fingerprint !== named.fingerprint) throw new ApiError('idempotency_key_reused')
    return replayed ? { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } } : answer
  }
  return (operation, work) => {
    if (!declares(operation)) return work
    return (request) => {
      const header = request.headers['idempotency-key']
      return typeof header === 'string' ? answerOnce(request, header, work) : work(request)
    }
  }
}

/** Gives the answer of an operation in the form that is kept with its transaction, which is text. */
function keepable ({ status, headers, body }: SerializedResponse): KeptAnswer {
  if (body !== undefined && typeof body !== 'string') {
    throw new Error('An operation with an Idempotency-Key must answer with text.')
  }
  return { status, headers, body }
}

function declares ({ parameters }: Operation): boolean {
  return parameters.some((parameter) => parameter.in === 'header' && parameter.name.toLowerCase() === 'idempotency-key')
}
