import type { FastifyInstance } from 'fastify'
import type { AppOptions } from '../../app.js'
import { isPostgresUrl, type Config } from '../../config.js'
import { systemClock } from '../../domain/clock.js'
import type { StorageObserver } from '../../domain/storage/observer.js'
import type { Storage } from '../../storage/open.js'
import { readPackageFile } from '../files/package-file.js'
import { listenForMetrics } from '../listen.js'

/** What the operator asked to see of a server: its metrics, its traces, both or neither. */
export interface Observation extends Pick<AppOptions, 'metrics' | 'tracing'> {
  /** Is told what the database does; undefined where nobody wants to know. */
  storage: StorageObserver | undefined
}

/** The names of the packages that trace. */
const TRACES = /^@(opentelemetry|fastify)\//

interface Manifest {
  version: string
  /** What only those install who want it: traces, or the client of the API. */
  peerDependencies: Record<string, string>
}

/**
 * Begins to observe a server as the configuration says. What is not asked for is not loaded.
 * @throws {StartRefusal} when the packages that trace are not installed
 */
export async function observe (
  { METRICS_PORT, DATABASE_URL, BACKUP_PATH, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Config,
  app: () => FastifyInstance | undefined
): Promise<Observation> {
  if (METRICS_PORT === undefined && endpoint === undefined) return { storage: undefined }
  const { version, peerDependencies } = JSON.parse(readPackageFile('package.json')) as Manifest
  const observation: Observation = { storage: undefined }
  if (METRICS_PORT !== undefined) {
    const { Metrics } = await import('../../metrics/metrics.js')
    const engine = isPostgresUrl(DATABASE_URL) ? 'postgresql' : 'sqlite'
    observation.metrics = new Metrics({ version, engine, backupPath: BACKUP_PATH, clock: systemClock })
    observation.storage = observation.metrics.storage
  }
  if (endpoint !== undefined) {
    const { startTracing } = await import('../../tracing/tracing.js')
    observation.tracing = await startTracing({
      endpoint,
      version,
      packages: Object.fromEntries(Object.entries(peerDependencies).filter(([name]) => TRACES.test(name))),
      onChange (works, cause) {
        if (works) app()?.log.info('traces are taken again')
        else app()?.log.warn({ err: cause }, 'traces cannot be sent; they are lost while that lasts')
      }
    })
    const { storage: spans } = observation.tracing
    observation.storage = observation.storage ? both(observation.storage, spans) : spans
  }
  return observation
}

/** Gives the repositories that tell what is observed of them. */
export function observedRepositories (
  { metrics, tracing }: Observation,
  { repositories }: Storage
): AppOptions['repositories'] {
  return {
    ...repositories,
    ...(metrics ? { idempotency: metrics.idempotency(repositories.idempotency) } : {}),
    ...(tracing ? { usage: tracing.usage(repositories.usage) } : {})
  }
}

/** Gives the log of a server with the id of the trace that a line belongs to. */
export function observedLogger ({ tracing }: Observation, logger: AppOptions['logger']): AppOptions['logger'] {
  return tracing && typeof logger === 'object' ? { ...logger, mixin: () => tracing.logFields() } : logger
}

/**
 * Shows the metrics where the configuration says, until the app closes, and gives their address; undefined where nobody
 * asked for them.
 * @throws {StartRefusal} when the port or the address cannot be had
 */
export async function showMetrics (
  { metrics }: Observation,
  storage: Storage,
  { METRICS_HOST, METRICS_PORT }: Config
): Promise<string | undefined> {
  if (!metrics || METRICS_PORT === undefined) return undefined
  metrics.showState(storage)
  return await listenForMetrics(metrics.server, METRICS_HOST, METRICS_PORT)
}

/** Gives an observer that tells both what it is told. */
function both (one: StorageObserver, other: StorageObserver): StorageObserver {
  return {
    during: (work, run) => one.during(work, () => other.during(work, run)),
    committed (writes) {
      one.committed?.(writes)
      other.committed?.(writes)
    },
    waitedForLock (seconds) {
      one.waitedForLock?.(seconds)
      other.waitedForLock?.(seconds)
    }
  }
}
