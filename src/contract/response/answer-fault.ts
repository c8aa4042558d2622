/** An answer does not fit the document, which is a fault of its handler; the message names the place in the body. */
export class AnswerFault extends Error {
  override readonly name = 'AnswerFault'
  readonly #fault: string
  readonly #path: string[] = []

  constructor (fault: string) {
    super()
    this.#fault = fault
    this.#describe()
  }

  /** Says in which property, or which item, of a value around it the fault is. */
  within (name: string | number): this {
    this.#path.unshift(String(name))
    this.#describe()
    return this
  }

  #describe (): void {
    const place = this.#path.length === 0 ? 'the body' : `'${this.#path.join('.')}'`
    this.message = `The answer does not fit the document: ${place} ${this.#fault}.`
  }
}
