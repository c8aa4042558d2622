import { isIPv6 } from 'node:net'

/**
 * A name, an IPv4 address or an IPv6 address in brackets, with an optional port (RFC 3986, section 3.2.2). It excludes
 * the sub-delimiters of a `reg-name`: no host name contains them, and `a,b` is a list.
 */
const HOST = /^(?:\[(?<address>[\da-f:.]+)\]|(?:[\w.~-]|%[\da-f]{2})+)(?::(?<port>\d*))?$/i

/** Checks a Host header or the authority of a URL. Pages repeat it many times, so it has at most 255 bytes. */
export function isHost (text: string): boolean {
  const match = text.length <= 255 && HOST.exec(text)
  if (!match) return false
  const { address, port } = match.groups!
  return (address === undefined || isIPv6(address)) && Number(port ?? 0) <= 65_535
}
