import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify'
import type { Content } from './document/openapi.js'
import { MEDIA_TYPE, type Operation } from './operation/operation.js'
import { contentMatcherOf, type BodyReader } from './request/body/body.js'
import { parseJson } from './request/json.js'
import { RequestError } from './request/request-error.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Reads the body of a request to the operation of this route; undefined when that declares none. */
    readBody?: BodyReader
  }
  interface FastifyRequest {
    /** The key of the content (OpenAPI) that declares the body; undefined when no declared body was sent. */
    contentKey?: string
  }
}

/** What a body may be where the document says nothing of one: it is read and dropped. */
const matchUndeclared = contentMatcherOf({ [MEDIA_TYPE]: {} })

/** Registers parsers for the media types that the operations declare, and for JSON; any other is a 415. */
export function addBodyParsers (app: FastifyInstance, operations: Operation[]): void {
  app.removeAllContentTypeParsers()
  const others = operations.some(({ body }) => Object.keys(body?.content ?? {}).some((type) => type !== MEDIA_TYPE))
  for (const type of others ? [MEDIA_TYPE, '*'] : [MEDIA_TYPE]) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body, done) => {
      try {
        done(null, readBody(request, body as Buffer))
      } catch (error) {
        done(error as Error)
      }
    })
  }
  // Fastify reads the body of a GET or HEAD only when told to.
  if (operations.some(({ body, method }) => body && (method === 'get' || method === 'head'))) {
    for (const method of ['GET', 'HEAD']) app.addHttpMethod(method, { hasBody: true, overrideExisting: true })
  }
}

/** The value of a body; what declares it goes to the request. */
function readBody (request: FastifyRequest, bytes: Buffer): unknown {
  const { headers, method, routeOptions } = request
  const contentType = headers['content-type']
  if (headers['content-encoding'] !== undefined) throw new RequestError(415)
  if (bytes.length === 0 && (method === 'GET' || method === 'HEAD')) return undefined
  const read = routeOptions.config.readBody
  if (!read) {
    matchUndeclared(contentType)
    return parseJson(bytes)
  }
  const { contentKey, value } = read(bytes, contentType)
  request.contentKey = contentKey
  return value
}

/** Makes a hook that refuses a body of a media type that an operation does not declare before any of it is read. */
export function refuseOtherMediaTypes (content: Content): preParsingHookHandler {
  const match = contentMatcherOf(content)
  return ({ headers, method }, _reply, payload, done) => {
    const hasContent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (hasContent || (headers['content-type'] !== undefined && method !== 'GET' && method !== 'HEAD')) {
      match(headers['content-type'])
    }
    done(null, payload)
  }
}
