import type { IncomingMessage } from 'node:http'
import { errorCodes, type FastifyInstance, type FastifyRequest, type preParsingHookHandler } from 'fastify'
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

/**
 * Registers the parsers of bodies. Gives what makes the hook that stands before them on the route of an operation;
 * undefined where no body is read.
 */
export function addBodyParsers (
  app: FastifyInstance,
  operations: Operation[]
): (operation: Operation) => ReturnType<typeof contentTypeCheckOf> | undefined {
  app.removeAllContentTypeParsers()
  for (const type of [MEDIA_TYPE, '*']) {
    app.addContentTypeParser(type, async (request: FastifyRequest, payload: IncomingMessage) =>
      readBody(request, await readBytes(request, payload))
    )
  }
  // Fastify reads the body of a GET or HEAD only when told to.
  const readsAll = operations.some((operation) => operation.body && isGetOrHead(operation))
  if (readsAll) {
    for (const method of ['GET', 'HEAD']) app.addHttpMethod(method, { hasBody: true, overrideExisting: true })
  }
  return (operation) => (readsAll || !isGetOrHead(operation) ? contentTypeCheckOf(operation) : undefined)
}

/** Whether requests of the method of an operation mean the same with content and without (RFC 9110, section 9.3.1). */
function isGetOrHead ({ method }: Operation): boolean {
  return method === 'get' || method === 'head'
}

/** So many pieces of a body are joined: each costs about 200 bytes of memory beside its content. */
const MAX_PIECES = 64

/**
 * Reads a body of at most the route's `bodyLimit`. It takes memory by its size, not by the number of chunks or packets
 * it arrives in.
 * @throws {Error} with the status 413 when the body is larger
 */
function readBytes ({ headers, routeOptions }: FastifyRequest, payload: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge = () => reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    const limit = routeOptions.bodyLimit
    if (Number(headers['content-length']) > limit) return tooLarge()
    const pieces: Buffer[] = []
    let size = 0
    const onData = (piece: Buffer): void => {
      size += piece.length
      if (size > limit) {
        payload.off('data', onData)
        return tooLarge()
      }
      pieces.push(piece)
      if (pieces.length === MAX_PIECES) pieces.splice(0, MAX_PIECES, Buffer.concat(pieces))
    }
    payload.on('data', onData)
    payload.once('end', () => resolve(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)))
    payload.once('error', reject)
  })
}

/** The value of a body; what declares it goes to the request. */
function readBody (request: FastifyRequest, bytes: Buffer): unknown {
  const { headers, routeOptions } = request
  const { operation, readBody: read } = routeOptions.config
  const contentType = headers['content-type']
  if (headers['content-encoding'] !== undefined) throw new RequestError(415)
  if (bytes.length === 0 && (!operation || mayLackContent(operation))) return undefined
  if (!read) {
    matchUndeclared(contentType)
    return parseJson(bytes)
  }
  const { contentKey, value } = read(bytes, contentType)
  request.contentKey = contentKey
  return value
}

/**
 * Makes a hook that refuses content of a media type that an operation does not declare before any of it is read. Where
 * there is no content there is nothing to check: many clients send a Content-Type with every request.
 */
function contentTypeCheckOf (operation: Operation): preParsingHookHandler {
  const match = operation.body && contentMatcherOf(operation.body.content)
  const mayLack = mayLackContent(operation)
  return ({ raw: { headers } }, _reply, payload, done) => {
    const type = headers['content-type']
    const hasContent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (!hasContent && mayLack) delete headers['content-type']
    else if (match && (hasContent || type !== undefined)) match(type)
    done(null, payload)
  }
}

/** Whether a request without content is to be taken for one without a body, whatever else it says. */
function mayLackContent (operation: Operation): boolean {
  return !operation.body?.required || isGetOrHead(operation)
}
