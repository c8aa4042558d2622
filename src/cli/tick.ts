import { executionAsyncResource } from 'node:async_hooks'

let held: object | undefined

/**
 * Holds one of the objects that `process.nextTick` makes, for as long as the process lives, and gives it. A request
 * takes about eight of them. When a collection of garbage finds none alive, V8 forgets their shape, and after a few of
 * those it makes each in a way that is several times as slow.
 */
export async function holdTick (): Promise<object> {
  return (held ??= await new Promise<object>((resolve) => {
    process.nextTick(() => resolve(executionAsyncResource()))
  }))
}
