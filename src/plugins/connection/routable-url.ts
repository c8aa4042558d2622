import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Stands in for an address that the router would refuse before any plugin sees it. */
export const MALFORMED_URL = `/malformed-${randomUUID()}`

/** An http URL without user information (RFC 9110, section 4.2.4) or fragment, and what follows its authority. */
const HTTP_URL = /^https?:\/\/[^/?#@]+((?:[/?][^#]*)?)$/i

/**
 * Fastify's `rewriteUrl`: gives the router an address that it can read, so that a malformed one is refused like
 * anything else. A target may be a path, an http URL or, with OPTIONS alone, `*` (RFC 9112, section 3.2), validly
 * percent-encoded (RFC 3986, section 2.1). A fragment stays with the client, and the path is taken as it is spelled.
 */
export function routableUrl ({ url = '/', method }: IncomingMessage): string {
  try {
    if (url.includes('%')) decodeURIComponent(url)
    if ((url === '*' && method === 'OPTIONS') || /^\/[^#]*$/.test(url)) return url
    const path = URL.canParse(url) ? HTTP_URL.exec(url)?.[1] : undefined
    if (path === undefined) return MALFORMED_URL
    return path.startsWith('/') ? path : `/${path}`
  } catch {
    return MALFORMED_URL
  }
}
