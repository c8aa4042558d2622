import type { IncomingHttpHeaders } from 'node:http'
import type { ParameterObject } from '../document/openapi.js'
import type { Schemas } from '../document/schemas.js'
import type { Operation } from '../operation/operation.js'
import { apiKeyParametersOf } from '../operation/security.js'
import { cookiesOf, decodeForm, pairsOf, type Pairs } from './pairs.js'
import { pairsReadersOf } from './pairs-reader.js'
import { parameterReaderOf } from './parameter.js'
import { pathReaderOf, type PathReader } from './path.js'

/**
 * Gives what a request has for the parameters of its operation, in the types of their schemas; what none of them
 * declares is among them. Nothing is checked but that their styles are kept.
 */
export interface ParametersReader {
  params: PathReader
  query: (query: string) => Record<string, unknown>
  /** Those that were sent, with the declared ones read; undefined when none of these was sent. */
  headers: (received: IncomingHttpHeaders) => Record<string, unknown> | undefined
  /** Of the Cookie header; undefined when the operation declares none. */
  cookies: ((header: string) => Record<string, unknown>) | undefined
}

/**
 * Makes the readers of all parameters that a request has for an operation. API keys in the query, which security asks
 * for, are no parameters.
 */
export function parametersReaderOf (schemas: Schemas, operation: Operation): ParametersReader {
  const { path, parameters } = operation
  const within = (where: ParameterObject['in']) => parameters.filter((parameter) => parameter.in === where)
  const apiKeys = apiKeyParametersOf(schemas, operation)
  const readQuery = pairsReadersOf(schemas, within('query'), apiKeys)
  const readCookies = pairsReadersOf(schemas, within('cookie'))
  const headers = within('header').map((parameter) => ({
    name: parameter.name.toLowerCase(),
    read: parameterReaderOf(schemas, parameter)
  }))
  return {
    params: pathReaderOf(schemas, path, parameters),
    query (text) {
      const pairs = pairsOf(text)
      const query = readQuery(pairs)
      for (const name of apiKeys) pairs.delete(name)
      return Object.fromEntries([...query, ...undeclaredIn(pairs)])
    },
    headers (received) {
      const sent = headers.filter(({ name }) => Object.hasOwn(received, name))
      if (sent.length === 0) return undefined
      const values = sent.map(({ name, read }) => [name, read([received[name]].flat() as string[])])
      return { ...received, ...Object.fromEntries(values) }
    },
    cookies:
      within('cookie').length === 0 ? undefined : (header) => Object.fromEntries(readCookies(cookiesOf(header)))
  }
}

/** Gives the query of a URL, raw as it was sent. */
export function queryOf (url: string): string {
  const target = url.includes('#') ? url.slice(0, url.indexOf('#')) : url
  const at = target.indexOf('?')
  return at === -1 ? '' : target.slice(at + 1)
}

function undeclaredIn (pairs: Pairs): [name: string, value: unknown][] {
  return [...pairs].map(([name, texts]) => [name, decodeForm(texts[0]!)])
}
