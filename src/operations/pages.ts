import { Answer } from '../contract/index.js'
import { andThen, type Awaitable } from '../domain/awaitable.js'
import { decodeCursor, encodeCursor, type Page, type PageRequest } from '../domain/pages.js'

type Query = { limit: number; cursor?: string }

/**
 * Makes the handler of a list, which answers with the page that a query asks for. While there are more, `Link` names
 * the next one at the same address (RFC 8288), with the same query. A page that is frozen is given the same answer each
 * time: it is that of one query.
 */
export function pagesOf<Item, Given extends Query> (
  address: string,
  list: (request: PageRequest & Omit<Given, keyof Query>) => Awaitable<Page<Item>>
): (request: { query: Given }) => Awaitable<Answer<Item[]>> {
  const answers = new WeakMap<Page<Item>, Answer<Item[]>>()
  return ({ query: { limit, cursor, ...filter } }) => {
    const after = cursor === undefined ? undefined : decodeCursor(cursor)
    return andThen(list({ ...filter, limit, after }), (page) => {
      const known = answers.get(page)
      if (known) return known
      const { items, next } = page
      const answer = new Answer(items, next === undefined ? {} : { Link: linkTo({ limit, ...filter }, next) })
      if (Object.isFrozen(page)) answers.set(page, Object.freeze(answer))
      return answer
    })
  }

  function linkTo (query: object, next: number): string {
    const given = { ...query, cursor: encodeCursor(next) }
    const pairs = Object.entries(given).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    return `<${address}?${pairs.join('&')}>; rel="next"`
  }
}
