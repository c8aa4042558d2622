import { Answer } from '../contract/index.js'
import { decodeCursor, encodeCursor, type Page, type PageRequest } from '../domain/pages.js'

interface Query {
  limit: number
  cursor?: string
}

/**
 * Makes the handler of a list, which answers with the page that a query asks for. While there are more, `Link` refers
 * to the next one (RFC 8288), at the same address with the same query. The reference is relative, so that it leads
 * there behind any proxy.
 */
export function pagesOf<Item, Given extends Query> (
  list: (request: PageRequest & Given) => Promise<Page<Item>>
): (request: { query: Given }) => Promise<Answer<Item[]>> {
  return async ({ query }) => {
    const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor)
    const { items, next, isCurrent } = await list({ ...query, after })
    return new Answer(items, next === undefined ? {} : { Link: linkTo(query, next) }).cacheableWhile(isCurrent)
  }
}

function linkTo ({ limit, cursor: _, ...filter }: Query, next: number): string {
  const pairs = Object.entries({ limit, ...filter, cursor: encodeCursor(next) })
  const texts = pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return `<?${texts.join('&')}>; rel="next"`
}
