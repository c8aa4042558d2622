import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mediaOf } from './request/body/body.js'
import type { Content } from './document/document.js'
import { parseJson } from './request/json.js'
import { MEDIA_TYPE, type Operation } from './operation/operation.js'
import { RequestError } from './request/request-error.js'

/** What a body may be where the document says nothing of one: it is read and dropped. */
const UNDECLARED: Content = { [MEDIA_TYPE]: {} }

/** Lets the app read bodies of the media types that its operations declare, and of JSON; any other is a 415. */
export function acceptBodies (app: FastifyInstance, operations: Operation[]): void {
  app.removeAllContentTypeParsers()
  const others = operations.some(({ body }) => Object.keys(body?.content ?? {}).some((type) => type !== MEDIA_TYPE))
  for (const type of others ? [MEDIA_TYPE, '*'] : [MEDIA_TYPE]) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body, done) => {
      try {
        done(null, read(request, body as Buffer))
      } catch (error) {
        done(error as Error)
      }
    })
  }
  const bodies = operations.filter(({ body, method }) => body && (method === 'get' || method === 'head'))
  // Fastify reads the body of either only when told to.
  if (bodies.length > 0) {
    for (const method of ['GET', 'HEAD']) app.addHttpMethod(method, { hasBody: true, overrideExisting: true })
  }
}

function read (request: FastifyRequest, bytes: Buffer): unknown {
  const {
    headers,
    method,
    routeOptions: {
      config: { readBody }
    }
  } = request
  if (headers['content-encoding'] !== undefined) throw new RequestError(415)
  if (bytes.length === 0 && (method === 'GET' || method === 'HEAD')) return undefined
  if (readBody) return readBody(bytes, headers['content-type'])
  mediaOf(UNDECLARED, headers['content-type'])
  return parseJson(bytes)
}

/** Refuses a body of a media type that an operation does not declare before any of it is read. */
export function refuseOtherMedia (content: Content): (request: FastifyRequest) => Promise<void> {
  return async ({ headers, method }) => {
    const hasContent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (hasContent || (headers['content-type'] !== undefined && method !== 'GET' && method !== 'HEAD')) {
      mediaOf(content, headers['content-type'])
    }
  }
}
