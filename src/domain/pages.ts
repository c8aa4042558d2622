import { ApiError } from './errors.js'
import type { IsCurrent } from './snapshot.js'

/** Which part of a list is asked for: at most `limit` items, beginning behind the id `after`. */
export interface PageRequest {
  limit: number
  after?: number | undefined
}

/** A part of a list in id order. `next` is the id behind which the following part begins; none on the last. */
export interface Page<Item> {
  items: Item[]
  next?: number
  /** Absent where the storage cannot tell. */
  isCurrent?: IsCurrent | undefined
}

/** Gives the opaque form of a position, for the query parameter `cursor` (contract, section 4.1: the form is ours). */
export function encodeCursor (after: number): string {
  return Buffer.from(String(after)).toString('base64url')
}

/**
 * Gives the position that a cursor stands for.
 * @throws {ApiError} bad_request for a cursor that {@link encodeCursor} did not make
 */
export function decodeCursor (cursor: string): number {
  const after = Number(Buffer.from(cursor, 'base64url').toString())
  if (Number.isSafeInteger(after) && after > 0 && encodeCursor(after) === cursor) return after
  const message = 'must be taken from the Link header of another page'
  throw new ApiError('bad_request', `Query parameter 'cursor' ${message}.`, {}, [{ in: 'query', name: 'cursor', message }])
}
