import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isHost } from './host.js'

/** Stands in for an address that the router would refuse before any plugin sees it. */
export const MALFORMED_URL = `/malformed-${randomUUID()}`

/** The authority of an http URL without a fragment, and what follows it. */
const HTTP_URL = /^https?:\/\/([^/?#]*)((?:[/?][^#]*)?)$/i

/**
 * Fastify's `rewriteUrl`: gives the router an address that it can read, so that a malformed one is refused like
 * anything else. A target may be a path, an http URL or, with OPTIONS alone, `*` (RFC 9112, section 3.2), validly
 * percent-encoded (RFC 3986, section 2.1). A fragment stays with the client, and the path is taken as it is spelled.
 * The host of a URL replaces the Host header (RFC 9112, section 3.2.2), unless that is invalid and to be refused.
 */
export function routableUrl ({ url = '/', method, headers }: IncomingMessage): string {
  try {
    if (url.includes('%')) decodeURIComponent(url)
    if ((url === '*' && method === 'OPTIONS') || /^\/[^#]*$/.test(url)) return url
    const [, authority = '', path = ''] = HTTP_URL.exec(url) ?? []
    if (!isHost(authority)) return MALFORMED_URL
    if (!headers.host || isHost(headers.host)) headers.host = authority
    return path.startsWith('/') ? path : `/${path}`
  } catch {
    return MALFORMED_URL
  }
}
