/**
 * Values that only the service can give, by the name under which a request sends them back: the ids of what was created
 * (`petId`, as the path of the item calls it) and the cursors of further pages.
 */
export class Given {
  readonly #values = new Map<string, string[]>()

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

/** Parameters that a service refuses unless it gave their value itself. */
export const OPAQUE = new Set(['cursor'])
