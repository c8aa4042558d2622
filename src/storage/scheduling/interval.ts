/**
 * Runs the work again and again, so many milliseconds after it last ended, without keeping the process alive. Returns
 * how to end that, once it is not running.
 */
export function repeat (milliseconds: number, work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let ended = false
  const next = (): void => {
    if (ended) return
    timer = setTimeout(() => {
      running = work().finally(next)
    }, milliseconds).unref()
  }
  next()
  return async () => {
    ended = true
    clearTimeout(timer)
    await running
  }
}
