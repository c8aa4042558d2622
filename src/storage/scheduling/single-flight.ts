/** Does a work once at a time for each name: who asks for it while it is under way gets what that gives. */
export function joined<Result, More extends unknown[]> (
  work: (name: string, ...more: More) => Promise<Result>
): (name: string, ...more: More) => Promise<Result> {
  const under = new Map<string, Promise<Result>>()
  return (name, ...more) => {
    let outcome = under.get(name)
    if (!outcome) {
      outcome = work(name, ...more).finally(() => under.delete(name))
      under.set(name, outcome)
    }
    return outcome
  }
}
