/**
 * A body together with response headers; with its status where that is not the operation's one 2xx, and its media type
 * where the response has several.
 */
export class Answer<Body, Status extends number | undefined = undefined, Type extends string | undefined = undefined> {
  readonly status: Status
  readonly type: Type
  /** Returns whether the same request would have the same answer now; undefined where nobody knows. */
  isCurrent: (() => boolean) | undefined

  constructor (
    readonly body: Body,
    readonly headers: Record<string, string> = {},
    status?: Status,
    type?: Type
  ) {
    this.status = status as Status
    this.type = type as Type
  }

  /** Allows a cache to use this answer again for the same request while `isCurrent` returns true. */
  cacheableWhile (isCurrent: (() => boolean) | undefined): this {
    this.isCurrent = isCurrent
    return this
  }
}
