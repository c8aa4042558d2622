import { getHeapStatistics } from 'node:v8'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { collectedGauge } from './collected.js'

/** Those of prom-client that look at every connection when they are read. */
const COSTLY = [
  'nodejs_active_handles',
  'nodejs_active_handles_total',
  'nodejs_active_requests',
  'nodejs_active_requests_total',
  'nodejs_active_resources',
  'nodejs_active_resources_total'
]

/** Measures the process: its processor time, memory and garbage collection, and how late its event loop is. */
export function measureProcess (registry: Registry, version: string): void {
  collectDefaultMetrics({ register: registry })
  for (const name of COSTLY) registry.removeSingleMetric(name)
  collectedGauge(registry, {
    name: 'petstore_heap_limit_bytes',
    help: 'Size of the heap at which Node.js ends the process.',
    read: () => [[{}, getHeapStatistics().heap_size_limit]]
  })
  const info = new Gauge({
    name: 'petstore_info',
    help: 'The version of the service; the value is always 1.',
    labelNames: ['version'],
    registers: [registry]
  })
  info.set({ version }, 1)
}
