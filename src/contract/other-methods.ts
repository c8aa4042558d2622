import { METHODS as NODE_METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Operation } from './operation/operation.js'
import { RequestError } from './request/request-error.js'

/**
 * Registers what answers the methods that a path of the document does not have: OPTIONS says which there are, any other
 * is refused. Both are answered in a hook and not in a handler, so that no body is read for them.
 */
export function registerOtherMethods (
  app: FastifyInstance,
  url: string,
  onRequest: onRequestHookHandler[],
  operations: Operation[]
): void {
  const methods = operations.map(({ method }) => method.toUpperCase())
  const withHead = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  const allowed = [...new Set([...withHead, 'OPTIONS'])]
  const Allow = allowed.join(', ')
  const config = { route: operations[0]!.route }
  const answerOptions = async (_request: FastifyRequest, reply: FastifyReply) =>
    reply.code(204).headers({ Allow }).send()
  if (!methods.includes('OPTIONS')) app.options(url, { config, onRequest: [...onRequest, answerOptions] }, () => {})
  const refuse = async () => {
    throw new RequestError(405, undefined, { Allow })
  }
  app.route({
    method: NODE_METHODS.filter((method) => method !== 'CONNECT' && !allowed.includes(method)),
    url,
    config,
    onRequest: [...onRequest, refuse],
    handler: () => {}
  })
}

/** Lets the router know every method that Node parses, so that none of them is a 404 on a path that exists. */
export function addAllMethods (app: FastifyInstance): void {
  for (const method of NODE_METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
}
