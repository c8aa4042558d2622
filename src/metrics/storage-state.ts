import { setTimeout as sleep } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import type { PoolState } from '../domain/storage/observer.js'
import { collectedGauge } from './collected.js'

/** How long the database may take to answer, in milliseconds; one that answers later counts as not there. */
const PATIENCE = 500

/** What tells how the storage is. */
export interface StorageState {
  ping: () => Promise<{ writable: boolean }>
  pool: () => PoolState | undefined
  degraded: () => boolean
}

/** Shows how the database is when somebody asks for the metrics, and Redis where servers share their counts. */
export function showStorageState (
  registry: Registry,
  { ping, pool, degraded }: StorageState,
  { isShared }: { isShared: boolean }
): void {
  // Before the database is asked, as that takes a connection.
  if (isShared) showServers(registry, { pool, degraded })
  collectedGauge(registry, {
    name: 'petstore_database_available',
    help: 'Whether records can be read, and written as far as is known: 1 or 0, by access.',
    labelNames: ['access'],
    async read () {
      const { readable, writable } = await Promise.race([accessOf(ping), sleep(PATIENCE, NONE, { ref: false })])
      return [
        [{ access: 'read' }, Number(readable)],
        [{ access: 'write' }, Number(writable)]
      ]
    }
  })
}

function showServers (registry: Registry, { pool, degraded }: Pick<StorageState, 'pool' | 'degraded'>): void {
  collectedGauge(registry, {
    name: 'petstore_postgresql_connections',
    help: 'Connections to PostgreSQL that are busy and idle, and the requests that wait for one, by state.',
    labelNames: ['state'],
    read: () => Object.entries(pool() ?? {}).map(([state, count]) => [{ state }, count])
  })
  collectedGauge(registry, {
    name: 'petstore_redis_available',
    help: 'Whether all servers count together in Redis: 1, or 0 while this one counts its share of the limits by itself.',
    read: () => [[{}, Number(!degraded())]]
  })
}

const NONE = { readable: false, writable: false }

async function accessOf (ping: StorageState['ping']): Promise<typeof NONE> {
  try {
    const { writable } = await ping()
    return { readable: true, writable }
  } catch {
    return NONE
  }
}
