import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Interceptor, SerializedResponse } from '../../contract/index.js'
import { andThen, type Awaitable } from '../../domain/awaitable.js'
import { ApiError } from '../../domain/errors.js'

/** The tags of a list, with the prefix of weak ones (RFC 9110, section 8.8.3). */
const TAGS = /(?:W\/)?"[!#-~\u0080-\u00ff]*"/gi

/** Looks up what a request would change. It is falsy where the operation rejects the request anyway. */
type FindTarget = (request: FastifyRequest) => Awaitable<unknown>

/**
 * Preconditions (RFC 9110, section 13). An operation for which the document declares a 304 has a strong ETag on its
 * 200. The tag covers the Link too: a cache keeps a Link that a 304 lacks (RFC 9111, section 3.2), and would go on to a
 * page that is gone. @fastify/etag knows neither lists nor `*`, and tags every answer.
 *
 * A read is performed before its preconditions are evaluated, anything else after. An ETag names one answer to a read,
 * so none matches what a write changes. Without a Last-Modified, preconditions on dates must be ignored.
 *
 * `targets` has a {@link FindTarget} for each operation whose target may be missing. It is undefined for a mock, whose
 * operations change nothing.
 */
export function conditional (targets: object | undefined): Interceptor {
  const finders = new Map(Object.entries((targets ?? {}) as Record<string, FindTarget>))
  return {
    written: ({ responses }, response) => (responses.has('304') ? tagged(response) : response),

    around ({ method, operationId }, work) {
      if (method === 'options' || method === 'trace') return work
      const isRead = !targets || method === 'get' || method === 'head'
      const findTarget = finders.get(operationId) ?? (() => true)
      return (request) => {
        const { headers } = request.raw
        if (headers['if-match'] === undefined && headers['if-none-match'] === undefined) return work(request)
        if (isRead) return andThen(work(request), (response) => evaluated(request, response))
        if (failedStatus(request) === undefined) return work(request)
        return andThen(findTarget(request), (target) => {
          if (target) throw new ApiError('precondition_failed')
          return work(request)
        })
      }
    }
  }
}

function evaluated (request: FastifyRequest, response: SerializedResponse): SerializedResponse {
  const { status, headers, body } = response
  const failed = status < 300 ? failedStatus(request, headers.etag) : undefined
  if (failed && typeof body === 'object' && 'destroy' in body) body.destroy()
  if (failed === 412) throw new ApiError('precondition_failed')
  return failed === 304 ? notModified(request, response) : response
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
  return { status, headers: { ...headers, ...tags }, body }
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
