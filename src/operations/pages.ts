import { Answer } from '../contract/index.js'
import { decodeCursor, encodeCursor, type Page, type PageRequest } from '../domain/pages.js'

type Query = { limit: number; cursor?: string }

/**
 * Answers with the page of a list that a query asks for. While there are more, `Link` refers to the next one (RFC
 * 8288), at the same address with the same query. The reference is relative, so that it leads there behind any proxy.
 */
export async function answerPage<Item, Given extends Query> (
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
  return new Answer(items, { Link: `<?${query}>; rel="next"` })
}
