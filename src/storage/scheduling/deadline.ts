/**
 * Gives what the work resolves with, or rejects once that has taken so many milliseconds, with the error that `late`
 * makes. An answer that arrived while the process was busy with something else still counts: it is read before the work
 * is given up.
 */
export function within<Result> (milliseconds: number, work: Promise<Result>, late: () => Error): Promise<Result> {
  return new Promise((resolve, reject) => {
    let last: NodeJS.Immediate | undefined
    const timer = setTimeout(() => {
      last = setImmediate(() => reject(late()))
    }, milliseconds)
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer)
      clearImmediate(last)
    })
  })
}
