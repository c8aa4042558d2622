import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Interceptor, Operation, SerializedResponse } from '../../contract/index.js'
import { ApiError } from '../../domain/errors.js'

/** The tags of a list, with the prefix of weak ones (RFC 9110, section 8.8.3). */
const TAGS = /(?:W\/)?"[!#-~\u0080-\u00ff]*"/gi

/** Looks up what a request would change. It is falsy where the operation rejects the request anyway. */
type FindTarget = (request: FastifyRequest) => Promise<unknown>

/**
 * Preconditions (RFC 9110, section 13). A read is performed before its preconditions are evaluated, anything else
 * after. An ETag names one response to a read, so none matches what a write changes. Without a Last-Modified,
 * preconditions on dates must be ignored.
 *
 * `targets` has a {@link FindTarget} for each operation whose target may be missing. It is undefined for a mock, whose
 * operations change nothing.
 */
export function conditional (targets: object | undefined): Interceptor {
  const finders = new Map(Object.entries((targets ?? {}) as Record<string, FindTarget>))
  return ({ method, operationId }, work) => {
    if (method === 'options' || method === 'trace') return work
    if (!targets || method === 'get' || method === 'head') {
      return async (request) => evaluate(request, await work(request))
    }
    const findTarget = finders.get(operationId) ?? (async () => true)
    return async (request) => {
      if (hasPreconditions(request) && failedStatus(request) && (await findTarget(request))) {
        throw new ApiError('precondition_failed')
      }
      return await work(request)
    }
  }
}

/**
 * Puts a strong ETag on every 200 of the operations for which the document declares a 304. It covers the Link too: a
 * cache keeps a Link that a 304 lacks (RFC 9111, section 3.2), and would go on to a page that is gone. @fastify/etag
 * knows neither lists nor `*`, and tags every response.
 */
export const etag: Interceptor = (operation, work) =>
  isConditional(operation) ? async (request) => tagged(await work(request)) : work

/** Returns whether the document declares a 304 for an operation. */
export function isConditional ({ responses }: Operation): boolean {
  return responses.has('304')
}

/**
 * Returns what a read is sent instead of its response: a 304 where its preconditions ask for one.
 * @throws {ApiError} with 412 where they are false
 */
export function evaluate (request: FastifyRequest, response: SerializedResponse): SerializedResponse {
  const { status, headers, body } = response
  const failed = status < 300 && hasPreconditions(request) ? failedStatus(request, headers.etag) : undefined
  if (failed && typeof body === 'object' && 'destroy' in body) body.destroy()
  if (failed === 412) throw new ApiError('precondition_failed')
  return failed === 304 ? notModified(request, response) : response
}

function hasPreconditions ({ raw: { headers } }: FastifyRequest): boolean {
  return headers['if-match'] !== undefined || headers['if-none-match'] !== undefined
}

/** Evaluates the preconditions in their order (RFC 9110, section 13.2.2). Returns undefined if they are true. */
function failedStatus ({ method, raw: { headers } }: FastifyRequest, etag?: string): 304 | 412 | undefined {
  const { 'if-match': ifMatch = '*', 'if-none-match': ifNoneMatch = '' } = headers
  const tagsIn = (condition: string): string[] => condition.match(TAGS) ?? []
  if (ifMatch.trim() !== '*' && !tagsIn(ifMatch).some((tag) => tag === etag)) return 412
  const matches =
    ifNoneMatch.replaceAll(TAGS, '').includes('*') ||
    tagsIn(ifNoneMatch).some((tag) => tag.replace(/^W\//i, '') === etag)
  if (!matches) return undefined
  return method === 'GET' || method === 'HEAD' ? 304 : 412
}

function tagged (response: SerializedResponse): SerializedResponse {
  const { status, headers, body } = response
  if (status !== 200 || (typeof body !== 'string' && !Buffer.isBuffer(body))) return response
  // May be kept by its caller alone, and asked for again each time, as a key may be revoked and what it reads may
  // change.
  const tags = { etag: `"${tagOf(headers.link ?? '', body)}"`, 'cache-control': 'private, no-cache' }
  return { ...response, headers: { ...headers, ...tags } }
}

function notModified ({ method }: FastifyRequest, { headers, body }: SerializedResponse): SerializedResponse {
  const { 'content-type': _type, ...others } = headers
  // Fastify takes the body off an answer to HEAD itself, after it has read its length.
  return { status: 304, headers: others, body: method === 'HEAD' ? body : undefined }
}

function tagOf (link: string, body: string | Buffer): string {
  const whole = typeof body === 'string' ? link + body : Buffer.concat([Buffer.from(link), body])
  return hash('sha256', whole, 'base64url')
}
