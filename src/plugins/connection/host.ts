import { isIPv6 } from 'node:net'

/** Pages repeat the host many times. */
const MOST_BYTES = 255

/**
 * A name, an IPv4 address or an IPv6 address in brackets, with an optional port (RFC 3986, section 3.2.2). It excludes
 * the sub-delimiters of a `reg-name`: no host name contains them, and `a,b` is a list.
 */
const HOST = /^(?:\[(?<address>[\da-f:.]+)\]|(?:[\w.~-]|%[\da-f]{2})+)(?::(?<port>\d*))?$/i

/** Checks the value of a Host header or the authority of an http URL (RFC 9110, section 7.2). */
export function isHost (text: string): boolean {
  const match = text.length <= MOST_BYTES && HOST.exec(text)
  if (!match) return false
  const { address, port } = match.groups!
  return (address === undefined || isIPv6(address)) && Number(port ?? 0) <= 65_535
}
