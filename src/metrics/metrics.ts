import type { Server } from 'node:http'
import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { Registry } from 'prom-client'
import type { Operation } from '../contract/index.js'
import type { Clock } from '../domain/clock.js'
import type { IdempotencyRepository } from '../domain/idempotency.js'
import type { StorageObserver, StorageWork } from '../domain/storage/observer.js'
import { showBackupAge } from './backups.js'
import { measureConnections } from './connections.js'
import { countedIdempotency } from './idempotency.js'
import { measureProcess } from './process.js'
import { RequestMetrics } from './requests.js'
import { metricsServer } from './server.js'
import { showStorageState, type StorageState } from './storage-state.js'
import { StorageMetrics } from './storage.js'

/** What the metrics of a server are made of. */
export interface MetricsOptions {
  version: string
  engine: StorageWork['engine']
  /** The file or folder where backups are; undefined where that is not known. */
  backupPath: string | undefined
  clock: Clock
}

/** The metrics of a server, in the form of Prometheus. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #options: MetricsOptions
  readonly #server: Server
  /** Measures what the database does. */
  readonly storage: StorageObserver

  constructor (options: MetricsOptions) {
    this.#options = options
    this.#server = metricsServer(this.#registry)
    measureProcess(this.#registry, options.version)
    this.storage = new StorageMetrics(this.#registry, options.engine)
    if (options.backupPath !== undefined) showBackupAge(this.#registry, options.backupPath, options.clock)
  }

  /** Shows how the storage is. */
  showState (state: StorageState): void {
    showStorageState(this.#registry, state, { isShared: this.#options.engine === 'postgresql' })
  }

  /** Gives a repository that does the same, and counts the requests that were sent again. */
  idempotency (repository: IdempotencyRepository): IdempotencyRepository {
    return countedIdempotency(this.#registry, repository)
  }

  /** Makes the plugin that measures the requests and connections of an app. */
  plugin (operations: Operation[]): FastifyPluginAsync {
    return fp(
      async (app) => {
        const requests = new RequestMetrics(this.#registry, operations)
        app.addHook('onResponse', (request, reply, done) => {
          requests.count(request, reply)
          done()
        })
        measureConnections(this.#registry, app)
        app.addHook('onClose', (_app, closed) => {
          this.#server.closeAllConnections()
          this.#server.close(() => closed())
        })
      },
      { name: 'metrics', dependencies: ['overload', 'untaken', 'under-way', 'operation'] }
    )
  }

  /** The server that shows them. It is not listening yet, and ends with the app that the plugin is in. */
  get server (): Server {
    return this.#server
  }
}
