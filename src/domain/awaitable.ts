/** A value, or the promise of one: what is there already need not be waited for. */
export type Awaitable<Value> = Value | Promise<Value>

/** Goes on with a value: at once when it is there, else as soon as it is. What is thrown at once is thrown at once. */
export function andThen<Value, Result> (
  value: Awaitable<Value>,
  use: (value: Value) => Awaitable<Result>
): Awaitable<Result> {
  return value instanceof Promise ? value.then(use) : use(value)
}
