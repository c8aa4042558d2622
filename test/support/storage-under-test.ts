import type { Test } from 'tap'

/** Whether a test runs on PostgreSQL, and the service on Redis as well: when its context or one around it says so. */
export function isOnPostgres ({ context }: Pick<Test, 'context'>): boolean {
  return (context as { onPostgres?: boolean } | undefined)?.onPostgres ?? false
}
