import { hash } from 'node:crypto'
import fp from 'fastify-plugin'

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
export const conditional = fp(
  async (app) => {
    app.addHook('onSend', (request, reply, payload, done) => {
      const { operation } = request.routeOptions.config
      if (reply.statusCode !== 200 || !operation?.responses.has('304')) return done()
      if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done()
      const tag = tagOf(String(reply.getHeader('Link') ?? ''), payload)
      // May be kept by its caller alone, and asked for again each time, as a key may be revoked and what it reads may
      // change.
      reply.headers({ ETag: `"${tag}"`, 'Cache-Control': 'private, no-cache' })
      if (!matches(request.raw.headers['if-none-match'], tag)) return done()
      reply.code(304).removeHeader('Content-Type')
      // Fastify takes the body off an answer to HEAD itself, after it has read its length.
      done(null, request.method === 'HEAD' ? payload : null)
    })
  },
  { name: 'conditional' }
)

function tagOf (link: string, body: string | Buffer): string {
  const tagged = typeof body === 'string' ? link + body : Buffer.concat([Buffer.from(link), body])
  return hash('sha256', tagged, 'base64url')
}

/** Whether an If-None-Match is `*` or names a tag. */
function matches (condition: string | undefined, tag: string): boolean {
  if (condition === undefined) return false
  return condition.trim() === '*' || [...condition.matchAll(TAGS)].some(([, named]) => named === tag)
}
