import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Interceptor, SerializedResponse } from '../../contract/index.js'
import { andThen } from '../../domain/awaitable.js'

/**
 * Quoted tags of a list; what stands between them, weak marks too, does not count (RFC 9110, sections 8.8.3 and
 * 13.1.2).
 */
const TAGS = /"([!#-~\u0080-\u00ff]*)"/g

/**
 * Conditional reads (RFC 9110, section 13) of every operation for which the document declares a 304: a strong ETag on
 * its 200, and 304 without the body for a caller who names it in If-None-Match. The tag is of the Link too: a cache
 * keeps a Link that a 304 lacks (RFC 9111, section 3.2), and would go on to a page that is gone. @fastify/etag knows
 * neither lists nor `*`, and tags every answer.
 */
export const conditional: Interceptor = (operation, work) => {
  if (!operation.responses.has('304')) return work
  const known = new WeakMap<SerializedResponse, Tagged>()
  return (request) =>
    andThen(work(request), (response) => {
      let tagged = known.get(response)
      if (!tagged) {
        tagged = taggedOf(response)
        if (!tagged) return response
        known.set(response, tagged)
      }
      return matches(request.raw.headers['if-none-match'], tagged.tag) ? notModified(request, tagged) : tagged.whole
    })
}

/** A response with its ETag. */
interface Tagged {
  tag: string
  whole: SerializedResponse
}

/** undefined for a response that has no tag. */
function taggedOf ({ status, headers, body }: SerializedResponse): Tagged | undefined {
  if (status !== 200 || (typeof body !== 'string' && !Buffer.isBuffer(body))) return undefined
  const tag = tagOf(headers.Link ?? '', body)
  // May be kept by its caller alone, and asked for again each time, as a key may be revoked and what it reads may
  // change.
  const tags = { ETag: `"${tag}"`, 'Cache-Control': 'private, no-cache' }
  return { tag, whole: { status, headers: { ...headers, ...tags }, body } }
}

function notModified ({ method }: FastifyRequest, { whole: { headers, body } }: Tagged): SerializedResponse {
  const { 'Content-Type': _type, ...others } = headers
  // Fastify takes the body off an answer to HEAD itself, after it has read its length.
  return { status: 304, headers: others, body: method === 'HEAD' ? body : undefined }
}

function tagOf (link: string, body: string | Buffer): string {
  const tagged = typeof body === 'string' ? link + body : Buffer.concat([Buffer.from(link), body])
  return hash('sha256', tagged, 'base64url')
}

/** Whether an If-None-Match is `*` or names a tag. */
function matches (condition: string | undefined, tag: string): boolean {
  if (condition === undefined) return false
  return condition.trim() === '*' || [...condition.matchAll(TAGS)].some(([, named]) => named === tag)
}
