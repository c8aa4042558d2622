import { Answer } from '../contract/index.js'
import { andThen, type Awaitable } from '../domain/awaitable.js'
import { decodeCursor, encodeCursor, type Page, type PageRequest } from '../domain/pages.js'

interface Query {
  limit: number
  cursor?: string
}

/**
 * Makes the handler of a list, which answers with the page that a query asks for. While there are more, `Link` refers
 * to the next one (RFC 8288), at the same address with the same query. The reference is relative, so that it leads
 * there behind any proxy. What is frozen is read once: a query that many send, and a page, which is that of one query
 * and given the same answer each time.
 */
export function pagesOf<Item, Given extends Query> (
  list: (request: PageRequest & Given) => Awaitable<Page<Item>>
): (request: { query: Given }) => Awaitable<Answer<Item[]>> {
  const requests = new WeakMap<Given, PageRequest & Given>()
  const requestOf = (query: Given): PageRequest & Given => {
    const known = requests.get(query)
    if (known) return known
    const request = { ...query, after: query.cursor === undefined ? undefined : decodeCursor(query.cursor) }
    if (Object.isFrozen(query)) requests.set(query, request)
    return request
  }
  const answers = new WeakMap<Page<Item>, Answer<Item[]>>()
  return ({ query }) =>
    andThen(list(requestOf(query)), (page) => {
      const known = answers.get(page)
      if (known) return known
      const { items, next } = page
      const answer = new Answer(items, next === undefined ? {} : { Link: linkTo(query, next) })
      if (Object.isFrozen(page)) answers.set(page, Object.freeze(answer))
      return answer
    })
}

function linkTo ({ limit, cursor: _, ...filter }: Query, next: number): string {
  const pairs = Object.entries({ limit, ...filter, cursor: encodeCursor(next) })
  const texts = pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return `<?${texts.join('&')}>; rel="next"`
}
