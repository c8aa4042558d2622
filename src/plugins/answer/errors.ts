import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError, codeOf, StorageUnavailable, type Fault } from '../../domain/errors.js'
import { Outages } from './outages.js'

declare module 'fastify' {
  interface FastifyInstance {
    outages: Outages
  }
}

/** What errors thrown by Fastify and the contract layer say of themselves. */
interface Thrown {
  name?: string
  message?: string
  code?: string
  statusCode?: number
  headers?: Record<string, string>
  faults?: Fault[]
}

/**
 * Every answer of 400 and above is an Error body (contract, section 7); what a fault of ours says goes to the log only.
 */
export const errors = fp(
  async (app) => {
    const outages = new Outages(app.log)
    app.decorate('outages', outages)
    app.addHook('onClose', async () => outages.tell())
    app.setErrorHandler(answerError)
    app.setNotFoundHandler(() => {
      throw new ApiError('not_found')
    })
    // Paths of the document know their methods; the others have these.
    const Allow = 'GET, HEAD, OPTIONS'
    const paths = new Set<string>()
    app.addHook('onRoute', ({ method, url, prefix }) => {
      if (method !== 'GET' || /[:*]/.test(url)) return
      paths.add(url)
      // Fastify serves the root of a plugin under both.
      if (url === prefix) paths.add(`${url}/`)
    })
    // After the gate and before any parsing, so that no body is read for a path that does not exist.
    app.addHook('preParsing', (request, reply, payload, done) => {
      if (!request.is404) return done(null, payload)
      const path = request.url.split('?', 1)[0]!
      const isPath = paths.has(path)
      // Of `*` it asks whether the server is there (RFC 9110, section 9.3.7).
      if (request.method === 'OPTIONS' && (isPath || path === '*')) {
        reply.code(204).headers(isPath ? { Allow } : {}).send()
      } else done(isPath ? new ApiError('method_not_allowed', undefined, { Allow }) : new ApiError('not_found'))
    })
  },
  { name: 'errors' }
)

/**
 * Answers a request with an error; also requests that Fastify refuses before their route is known
 * (`frameworkErrors`).
 */
export function answerError (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = toApiError(error, request)
  // What was thrown as an answer is a refusal, a 501 or 505 too; anything else is a fault that somebody must look into.
  if (error instanceof StorageUnavailable) request.server.outages.note(error, request.log)
  else if (answer.statusCode >= 500 && !(error instanceof ApiError)) request.log.error({ err: error }, 'request failed')
  else request.log.debug({ err: error }, 'request refused')
  reply.code(answer.statusCode).headers(answer.headers).type('application/json; charset=utf-8')
  if (answer.faults.length === 0 || !prefersErrors(request)) return reply.send(answer.body)
  return reply.header('preference-applied', 'errors').send({ ...answer.body, errors: answer.faults })
}

/**
 * Tells whether the caller asks for the list of faults by `Prefer: errors` (RFC 7240). Without it the body has three
 * properties, those of the contract (section 2).
 */
function prefersErrors ({ headers }: FastifyRequest): boolean {
  return /(?:^|,)\s*errors\s*(?:$|[,;=])/i.test(String(headers.prefer ?? ''))
}

/**
 * Gives the error that a caller is told. Nothing that was not meant for the caller is let out: neither messages nor
 * headers nor statuses that some library put on its error.
 */
function toApiError (error: unknown, { raw }: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  // The connection broke: nobody's fault, and nobody sees this answer.
  if (raw.errored) return new ApiError('bad_request')
  const { name, code = '', statusCode = 500, message, headers, faults } = (error ?? {}) as Thrown
  const answer = codeOf(statusCode)
  if (name === 'RequestError') return new ApiError(answer, message || undefined, headers, faults)
  if (code === 'FST_ERR_HANDLER_TIMEOUT' && !raw.complete) return new ApiError('request_timeout')
  if (error instanceof StorageUnavailable || code === 'FST_ERR_HANDLER_TIMEOUT') {
    return new ApiError('unavailable', undefined, { 'Retry-After': '1' })
  }
  if (code === 'FST_STATIC_FORBIDDEN_PATH') return new ApiError('not_found')
  return new ApiError(String(code).startsWith('FST_') ? answer : 'internal_error')
}
