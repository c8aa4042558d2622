import type { FastifyRequest } from 'fastify'
import type { ParameterObject } from '../document/openapi.js'
import type { Schemas } from '../document/schemas.js'
import type { Operation } from '../operation/operation.js'
import { apiKeyParametersOf } from '../operation/security.js'
import { cookiesOf, decodeForm, pairsOf, type Pairs } from './pairs.js'
import { pairsReadersOf } from './pairs-reader.js'
import { parameterReaderOf } from './parameter.js'
import { pathReaderOf } from './path.js'

/**
 * What a request has for the parameters of its operation, in the types of their schemas; what none of them declares is
 * among them.
 */
export interface ParameterValues {
  params: Record<string, unknown>
  query: Record<string, unknown>
  /** Those that were sent, with the declared ones read; undefined when none of these was sent. */
  headers: Record<string, unknown> | undefined
  cookies: Record<string, unknown>
}

/**
 * Makes the reader of all parameters that a request has for an operation. Nothing is checked but that their styles are
 * kept. API keys in the query, which security asks for, are no parameters.
 */
export function parametersReaderOf (
  schemas: Schemas,
  operation: Operation
): (request: FastifyRequest) => ParameterValues {
  const { path, parameters } = operation
  const within = (where: ParameterObject['in']) => parameters.filter((parameter) => parameter.in === where)
  const readPath = pathReaderOf(schemas, path, parameters)
  const apiKeys = apiKeyParametersOf(schemas, operation)
  const readQuery = pairsReadersOf(schemas, within('query'), apiKeys)
  const readCookies = pairsReadersOf(schemas, within('cookie'))
  const headers = within('header').map((parameter) => ({
    name: parameter.name.toLowerCase(),
    read: parameterReaderOf(schemas, parameter)
  }))
  return (request) => {
    const url = request.raw.url ?? ''
    const pairs = pairsOf(queryOf(url))
    const query = readQuery(pairs)
    for (const name of apiKeys) pairs.delete(name)
    const { headers: received } = request.raw
    const sent = headers.filter(({ name }) => received[name] !== undefined)
    return {
      params: readPath(url),
      query: Object.fromEntries([...query, ...undeclaredIn(pairs)]),
      headers: sent.length === 0
        ? undefined
        : {
            ...received,
            ...Object.fromEntries(sent.map(({ name, read }) => [name, read([received[name]].flat() as string[])]))
          },
      cookies: Object.fromEntries(readCookies(cookiesOf(received.cookie ?? '')))
    }
  }
}

function queryOf (url: string): string {
  const [target = ''] = url.split('#', 1)
  const at = target.indexOf('?')
  return at === -1 ? '' : target.slice(at + 1)
}

function undeclaredIn (pairs: Pairs): [name: string, value: unknown][] {
  return [...pairs].map(([name, texts]) => [name, decodeForm(texts[0]!)])
}
