import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { withoutSecrets } from '../domain/api-keys.js'
import type { StorageObserver } from '../domain/storage/observer.js'
import type { UsageRepository } from '../domain/usage.js'
import { exporterTo, type OnExport } from './export.js'
import { loadPackages, type Packages } from './packages.js'
import { storageSpans, tracedBy, tracedUsage } from './spans.js'

/** How long the end of a server waits for the last spans to be sent, in milliseconds. */
const GOODBYE = 2_000

/** The traces of a server. */
export interface Tracing {
  /** Traces the requests of an app; to be registered before anything else. The last spans are sent when it closes. */
  plugin: FastifyPluginAsync
  /** Traces what the database does. */
  storage: StorageObserver
  /** Gives counters that do the same, and traces what they decide. */
  usage(usage: UsageRepository): UsageRepository
  /** Gives what a line of the log has of the trace that it belongs to. */
  logFields(): { traceId?: string }
}

export interface TracingOptions {
  /** The receiver of OTLP over HTTP, without the path of the traces. */
  endpoint: string
  version: string
  /** The packages of OpenTelemetry, with the versions to install. */
  packages: Record<string, string>
  onChange: OnExport
}

/**
 * Begins to trace this process by OpenTelemetry, whose other variables (OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER and
 * more) its packages read by themselves.
 * @throws {StartRefusal} when the packages are not installed
 */
export async function startTracing ({ endpoint, version, packages, onChange }: TracingOptions): Promise<Tracing> {
  const { api, otel, exporter, resources, sdk } = await loadPackages(packages)
  const provider = new sdk.NodeTracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': 'petstore', 'service.version': version })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(exporterTo(exporter, { endpoint, onChange }))]
  })
  provider.register()
  const instrumentation = new otel.FastifyOtelInstrumentation({
    instrumentHooks: false,
    // The span of an asynchronous handler would end before its work does.
    instrumentHandler: false,
    recordExceptions: false,
    requestHook: nameSpan
  })
  instrumentation.setTracerProvider(provider)
  const traced = tracedBy(api, 'petstore')
  return {
    plugin: fp(
      async (app) => {
        // All requests of a turn of the event loop are served, and answered, in the async context of the first one. So
        // each request begins without a context, and its end is told in its own.
        app.addHook('onRequest', (_request, _reply, done) => {
          api.context.with(api.ROOT_CONTEXT, done)
        })
        await app.register(instrumentation.plugin())
        app.addHook('onResponse', (request, _reply, done) => {
          api.context.with(request.opentelemetry().context ?? api.ROOT_CONTEXT, done)
        })
        app.addHook('onClose', () => Promise.race([provider.shutdown(), sleep(GOODBYE, undefined, { ref: false })]))
      },
      { name: 'tracing' }
    ),
    storage: storageSpans(traced),
    usage: (usage) => tracedUsage(traced, usage),
    logFields: () => fieldsOf(api)
  }
}

/** Names the span of a request by its route, and takes out what no trace may have: its query, and secrets in a path. */
function nameSpan (span: import('@opentelemetry/api').Span, request: FastifyRequest): void {
  const { url, config } = request.routeOptions
  const route = config.route ?? url
  span.updateName(route === undefined ? request.method : `${request.method} ${route}`)
  if (route !== undefined) span.setAttribute('http.route', route)
  span.setAttribute('url.path', withoutSecrets(request.url.split(/[?#;]/, 1)[0]!))
  span.setAttribute('petstore.request.id', request.id)
  if (config.probe) span.setAttribute('petstore.probe', true)
  if (config.operation) span.setAttribute('petstore.operation.id', config.operation.operationId)
}

function fieldsOf ({ trace }: Packages['api']): { traceId?: string } {
  const traceId = trace.getActiveSpan()?.spanContext().traceId
  return traceId === undefined ? {} : { traceId }
}
