import { ContractError } from './contract-error.js'
import { METHODS, type Document, type ServerObject } from './openapi.js'
import { pointerTo } from './pointer.js'
import { resolve } from './reference.js'

/**
 * Gives the path under which the whole document is served, without a trailing slash: that of its first server, or,
 * where paths or operations have servers of their own, what is common to the first of each. Variables have their
 * defaults.
 * @throws {ContractError} when a server has no URL that can be read
 */
export function basePathOf (document: Document): string {
  const [first, ...others] = [...new Set(allServers(document))].map((path) => path.split('/'))
  const common = first!.findIndex((segment, index) => !others.every((other) => other[index] === segment))
  return first!.slice(0, common === -1 ? undefined : common).join('/')
}

/**
 * Gives the path of the first server of a list, without a trailing slash; undefined when the list is none.
 * @throws {ContractError} when its URL cannot be read
 */
export function serverPathOf (servers: ServerObject[] | undefined, pointer: string): string | undefined {
  const [server] = servers ?? []
  if (!server) return undefined
  const url = urlOf(server)
  try {
    return decodeURI(new URL(url, 'http://localhost').pathname.replace(/\/$/, ''))
  } catch (cause) {
    throw new ContractError(`${pointerTo(pointer, 'servers', 0)}: '${server.url}' is not a URL.`, { cause })
  }
}

/** Gives the URL of each server of the document, `/` if none is listed. Variables have their defaults. */
export function serverUrlsOf ({ servers = [] }: Document): string[] {
  return servers.length === 0 ? ['/'] : servers.map(urlOf)
}

function urlOf ({ url, variables = {} }: ServerObject): string {
  return url.replace(/\{([^}]+)\}/g, (_, name: string) => variables[name]?.default ?? '')
}

/** The path of the server of every operation, and of the document when it has none of them. */
function allServers (document: Document): string[] {
  const root = serverPathOf(document.servers, '#') ?? ''
  const paths = Object.entries(document.paths ?? {}).flatMap(([path, item]) => {
    const { value, pointer } = resolve(document, { value: item, pointer: pointerTo('#/paths', path) })
    const ofItem = serverPathOf(value.servers, pointer) ?? root
    return METHODS.filter((method) => value[method]).map(
      (method) => serverPathOf(value[method]!.servers, pointerTo(pointer, method)) ?? ofItem
    )
  })
  return paths.length > 0 ? paths : [root]
}
