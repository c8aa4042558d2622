import type { Test } from 'tap'

/** Whether a test runs on PostgreSQL, and the service on Redis: its context says so, or that of an outer test. */
export function isOnPostgres ({ context }: Pick<Test, 'context'>): boolean {
  return (context as { onPostgres?: boolean } | undefined)?.onPostgres ?? false
}
