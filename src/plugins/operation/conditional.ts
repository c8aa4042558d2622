import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Interceptor, Operation, SerializedResponse } from '../../contract/index.js'
import { andThen } from '../../domain/awaitable.js'

/**
 * Quoted tags of a list; what stands between them, weak marks too, does not count (RFC 9110, sections 8.8.3 and
 * 13.1.2).
 */
const TAGS = /"[!#-~\u0080-\u00ff]*"/g

/**
 * Conditional reads (RFC 9110, section 13) of every operation for which the document declares a 304: a strong ETag on
 * its 200, and 304 without the body for a caller who names it in If-None-Match. The tag is of the Link too: a cache
 * keeps a Link that a 304 lacks (RFC 9111, section 3.2), and would go on to a page that is gone. @fastify/etag knows
 * neither lists nor `*`, and tags every answer.
 */
export const conditional: Interceptor = {
  written: (operation, response) => (isConditional(operation) ? tagged(response) : response),

  around (operation, work) {
    if (!isConditional(operation)) return work
    return (request) => {
      const condition = request.raw.headers['if-none-match']
      if (condition === undefined) return work(request)
      return andThen(work(request), (response) =>
        matches(condition, response.headers.etag) ? notModified(request, response) : response
      )
    }
  }
}

function isConditional ({ responses }: Operation): boolean {
  return responses.has('304')
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

/** Whether an If-None-Match is `*` or names the ETag of an answer that has one. */
function matches (condition: string, etag: string | undefined): boolean {
  if (etag === undefined) return false
  return condition.trim() === '*' || [...condition.matchAll(TAGS)].some(([named]) => named === etag)
}
