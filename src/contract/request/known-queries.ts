/** How many queries are known, and how long the longest of them may be, in characters. */
const MOST_KNOWN = 5_000
const LONGEST = 200

/**
 * The queries of requests to an operation that were valid, by their texts, so that one which many send is read and
 * checked once. Nobody may change them: they are frozen.
 */
export class KnownQueries {
  readonly #byText = new Map<string, Record<string, unknown>>()
  readonly #all = new WeakSet<object>()

  /** Gives the query that a text stands for, when it is known. */
  get (text: string): Record<string, unknown> | undefined {
    return this.#byText.get(text)
  }

  /** Whether a query is one of these, so that it is valid. */
  has (query: object): boolean {
    return this.#all.has(query)
  }

  /** Takes note of a query that is valid; one that has lists or objects is not kept. */
  add (text: string, query: Record<string, unknown>): void {
    if (text.length > LONGEST || Object.values(query).some((value) => typeof value === 'object')) return
    if (this.#byText.size >= MOST_KNOWN) this.#byText.clear()
    this.#byText.set(text, Object.freeze(query))
    this.#all.add(query)
  }
}
