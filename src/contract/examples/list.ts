import type { ParameterObject } from '../document/openapi.js'
import type { Schemas } from '../document/schemas.js'
import { MEDIA_TYPE, type Operation } from '../operation/operation.js'
import { shapeOf, styleOf } from '../operation/parameter-style.js'
import { refusalOf } from '../request/request-error.js'

type Query = Record<string, unknown>

/** A part of a list, and the headers that belong to it: a `Link` to the part after it, while there is one. */
export interface ListPage {
  items: unknown[]
  headers: Record<string, string>
}

/**
 * Makes a function that gives the part of an operation's example list that a query asks for: the items whose properties
 * are as the query parameters of the same names say, at most `limit` of them, from where `cursor` says. Where the
 * operation has no parameter `cursor`, there is one page and no other.
 */
export function listPagesOf (
  schemas: Schemas,
  { parameters, responses, success }: Operation
): (list: unknown[], query: Query) => ListPage {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const isPaged = inQuery.some(({ name }) => name === 'cursor') && inQuery.every((one) => isPairs(schemas, one))
  const { schema = {} } = responses.get(String(success))?.content?.[MEDIA_TYPE] ?? {}
  const { names: declared } = schemas.properties(schemas.items(schema))
  return (list, { cursor, ...asked }) => {
    const isProperty = (name: string): boolean => declared.has(name) || list.some((item) => has(item, name))
    const filters = Object.entries(asked).filter(([name]) => name !== 'limit' && isProperty(name))
    const found = list.filter((item) => filters.every(([name, wanted]) => has(item, name) && fits(item[name], wanted)))
    const start = isPaged && cursor !== undefined ? decodeCursor(cursor) : 0
    const end = start + (/^\d+$/.test(String(asked.limit)) ? Number(asked.limit) : list.length)
    const items = found.slice(start, end)
    if (!isPaged || items.length === 0 || end >= found.length) return { items, headers: {} }
    return { items, headers: { Link: `<?${textOf({ ...asked, cursor: encodeCursor(end) })}>; rel="next"` } }
  }
}

/** Whether a query has the values of a parameter as pairs of its name and one of them: `tag=new&tag=red`. */
function isPairs (schemas: Schemas, parameter: ParameterObject): boolean {
  const shape = shapeOf(schemas.types(parameter.schema ?? {}))
  return !parameter.content && (shape === 'scalar' || (shape === 'array' && styleOf(parameter).explode))
}

function has (item: unknown, name: string): item is Query {
  return typeof item === 'object' && item !== null && Object.hasOwn(item, name)
}

/** Whether a property has a value that is asked for; of several values on either side one is enough. */
function fits (value: unknown, wanted: unknown): boolean {
  const all = [wanted].flat().map(String)
  return [value].flat().some((one) => all.includes(String(one)))
}

function textOf (query: Query): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) pairs.append(name, String(one))
  return String(pairs)
}

function encodeCursor (start: number): string {
  return Buffer.from(String(start)).toString('base64url')
}

function decodeCursor (cursor: unknown): number {
  const start = Number(Buffer.from(String(cursor), 'base64url').toString())
  if (Number.isSafeInteger(start) && start > 0 && encodeCursor(start) === cursor) return start
  throw refusalOf('query', ['cursor'], 'must be taken from the Link header of another page')
}
