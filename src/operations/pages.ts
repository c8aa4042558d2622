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
 * there behind any proxy.
 */
export function pagesOf<Item, Given extends Query> (
  list: (request: PageRequest & Given) => Awaitable<Page<Item>>
): (request: { query: Given }) => Awaitable<Answer<Item[]>> {
  const requestOf = onceOfFrozen((query: Given): PageRequest & Given => ({
    ...query,
    after: query.cursor === undefined ? undefined : decodeCursor(query.cursor)
  }))
  // A page that is frozen is that of one query.
  const answerOf = onceOfFrozen(({ items, next }: Page<Item>, query: Given) =>
    new Answer(items, next === undefined ? {} : { Link: linkTo(query, next) })
  )
  return ({ query }) => andThen(list(requestOf(query)), (page) => answerOf(page, query))
}

/** Makes a function whose results for what is frozen, which never changes, are made once and frozen as well. */
function onceOfFrozen<Given extends object, Rest extends unknown[], Result extends object> (
  make: (given: Given, ...rest: Rest) => Result
): (given: Given, ...rest: Rest) => Result {
  const made = new WeakMap<Given, Result>()
  return (given, ...rest) => {
    const known = made.get(given)
    if (known) return known
    const result = make(given, ...rest)
    if (Object.isFrozen(given)) made.set(given, Object.freeze(result))
    return result
  }
}

function linkTo ({ limit, cursor: _, ...filter }: Query, next: number): string {
  const pairs = Object.entries({ limit, ...filter, cursor: encodeCursor(next) })
  const texts = pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return `<?${texts.join('&')}>; rel="next"`
}
