import type { FastifyRequest } from 'fastify'

/**
 * Counts how often a request carries a header, by its name in small letters. In `headers`, Node joins the values of
 * some headers that are sent twice, and drops all but the first of others.
 */
export function headerCount ({ raw: { rawHeaders } }: FastifyRequest, name: string): number {
  return rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === name).length
}
