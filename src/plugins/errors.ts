import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError, codeOf } from '../domain/errors.js'

/** What errors thrown by Fastify, the contract layer and the storage have in common. */
interface Thrown { statusCode?: number, expose?: boolean, message: string, headers?: Record<string, string> }

/** Every answer of 400 and above is an Error body (contract, section 7); what a fault of ours says goes to the log only. */
export const errors = fp(async (app) => {
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(() => { throw new ApiError('not_found') })
  // After the gate and before any parsing, so that no body is read for a path that does not exist.
  app.addHook('preParsing', async (request) => {
    if (request.is404) throw new ApiError('not_found')
  })
}, { name: 'errors' })

/** The error answer to a request; also for requests that Fastify refuses before their route is known (`frameworkErrors`). */
export function answerError (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = toApiError(error)
  if (answer.statusCode >= 500) request.log.error({ err: error }, 'request failed')
  else request.log.debug({ err: error }, 'request refused')
  return reply.code(answer.statusCode).headers(answer.headers).type('application/json; charset=utf-8').send(answer.body)
}

/** Never lets out what was not meant for the caller: neither messages of faults nor headers that some library put on its error. */
export function toApiError (error: Error): ApiError {
  if (error instanceof ApiError) return error
  const { statusCode = 500, expose, message, headers } = error as Thrown
  const code = codeOf(statusCode)
  if (expose && statusCode < 500) return new ApiError(code, message, headers)
  if (code === 'unavailable') return new ApiError(code, undefined, { 'Retry-After': '1' })
  return new ApiError(code, undefined, (error.name === 'RequestError' && headers) || {})
}
