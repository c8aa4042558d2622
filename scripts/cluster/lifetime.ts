/** What ends with a test or a script: `end` is called then, the newest first. */
export interface Lifetime {
  teardown(end: () => unknown): void
}
