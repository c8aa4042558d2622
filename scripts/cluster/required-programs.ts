import { missingNginx } from './balancer.js'
import { missingPostgres } from './postgres.js'
import { missingRedis } from './redis.js'

/** Ends the process with 1 when a cluster cannot be started on this machine, after saying what is missing. */
export function requirePrograms (): void {
  const missing = missingPostgres ?? missingRedis ?? missingNginx
  if (missing === undefined) return
  console.error(`${missing}. On Debian: apt-get install postgresql redis-server nginx`)
  process.exit(1)
}
