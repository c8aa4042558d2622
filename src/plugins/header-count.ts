import type { IncomingMessage } from 'node:http'

/**
 * Counts how often a request carries a header, by its name in small letters. In `headers`, Node joins the values of
 * some headers that are sent twice, and drops all but the first of others.
 */
export function headerCount ({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index]!
    if (header.length === name.length && header.toLowerCase() === name) count++
  }
  return count
}
