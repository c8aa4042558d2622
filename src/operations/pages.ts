import { Answer } from '../contract/index.js'
import { decodeCursor, encodeCursor, type Page, type PageRequest } from '../domain/pages.js'

type Query = { limit: number; cursor?: string }

/**
 * Reads the page that a query asks for. While there are more, `Link` names the next one at the same address (RFC 8288),
 * with the same query.
 */
export async function answerPage<Item, Given extends Query> (
  address: string,
  { limit, cursor, ...filter }: Given,
  list: (request: PageRequest & Omit<Given, keyof Query>) => Promise<Page<Item>>
): Promise<Answer<Item[]>> {
  const { items, next } = await list({
    ...filter,
    limit,
    after: cursor === undefined ? undefined : decodeCursor(cursor)
  })
  if (next === undefined) return new Answer(items, {})
  const query = new URLSearchParams({ limit: String(limit), ...filter, cursor: encodeCursor(next) })
  return new Answer(items, { Link: `<${address}?${query}>; rel="next"` })
}
