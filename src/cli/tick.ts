import { createHook } from 'node:async_hooks'

let held: object | undefined

/**
 * Holds one of the objects that `process.nextTick` makes, for as long as the process lives, and gives it. A request
 * takes about eight of them. When a collection of garbage finds none alive, V8 forgets their shape, and after a few of
 * those it makes each in a way that is several times as slow.
 */
export function holdTick (): object | undefined {
  const hook = createHook({
    init (_id, type, _trigger, resource) {
      if (type === 'TickObject') held ??= resource
    }
  })
  hook.enable()
  process.nextTick(() => {})
  hook.disable()
  return held
}
