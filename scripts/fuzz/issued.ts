/**
 * Values that the service has issued and that later requests send back, by the name of their parameter: the ids of what
 * was created (`petId`, as the path of the item calls it) and the cursors of further pages.
 */
export class Issued {
  readonly #values = new Map<string, string[]>()

  /** Keeps a value for later requests. */
  remember (name: string, value: string): void {
    const values = this.#values.get(name) ?? []
    values.push(value)
    this.#values.set(name, values)
  }

  /** Any one of the values of a name, chosen by a number; undefined when there is none yet. */
  pick (name: string, choice: number): string | undefined {
    const values = this.#values.get(name) ?? []
    return values[choice % values.length]
  }
}

/** Parameters whose values only the service can make: it refuses any other. */
export const OPAQUE = new Set(['cursor'])
