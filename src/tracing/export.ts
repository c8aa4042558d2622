import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node'
import { withoutSecrets } from '../domain/api-keys.js'

/** How long a batch of spans may take to be taken, in milliseconds. */
const PATIENCE = 5_000

/** Told once when traces cannot be sent, with the cause, and once when they are again. */
export type OnExport = (works: boolean, cause?: Error) => void

interface ExporterOptions {
  endpoint: string
  onChange: OnExport
}

/** Makes what sends spans to a receiver of OTLP, all but those of successful probes. */
export function exporterTo (
  { OTLPTraceExporter }: typeof import('@opentelemetry/exporter-trace-otlp-http'),
  { endpoint, onChange }: ExporterOptions
): SpanExporter {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: PATIENCE
  })
  let works = true
  return {
    export (all, done) {
      const spans = all.filter(({ attributes }) =>
        !attributes['petstore.probe'] || Number(attributes['http.response.status_code']) >= 400)
      if (spans.length === 0) return done({ code: 0 })
      for (const span of spans) correctStatus(span)
      exporter.export(spans, (result) => {
        const succeeded = result.error === undefined
        if (succeeded !== works) onChange(succeeded, result.error)
        works = succeeded
        done(result)
      })
    },
    shutdown: () => exporter.shutdown()
  }
}

/**
 * A refusal is no error of the server (semantic conventions for HTTP spans), but @fastify/otel marks it as one and says
 * why, in words that may have what the caller sent.
 */
function correctStatus (span: ReadableSpan): void {
  const status = Number(span.attributes['http.response.status_code'] ?? 500)
  if (status < 500) Object.assign(span, { status: { code: 0 } })
  else if (span.status.message !== undefined) span.status.message = withoutSecrets(span.status.message)
}
