import { nextCursor } from './links.js'

/** An answer as openapi-fetch gives it. */
interface Answer<Item> {
  data?: Item[] | undefined
  error?: unknown
  response: Response
}

/** Says that a call was answered with an error where there is nobody to give it to but by throwing it. */
export class ResponseError<Body = unknown> extends Error {
  override readonly name = 'ResponseError'

  constructor (
    /** The body of the answer, as it came. */
    readonly body: Body,
    readonly response: Response
  ) {
    super((body as { message?: string } | undefined)?.message ?? `The answer has the status ${response.status}.`)
  }
}

/**
 * Gives the items of all pages of a list one after the other. A page is read when the first of its items is asked for.
 * It throws a {@link ResponseError} when a page is answered with an error.
 */
export async function * itemsOf<Item> (
  read: (cursor: string | undefined) => Promise<Answer<Item>>
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined
  do {
    const { data, error, response } = await read(cursor)
    if (!data) throw new ResponseError(error, response)
    yield * data
    cursor = nextCursor(response)
  } while (cursor !== undefined)
}
