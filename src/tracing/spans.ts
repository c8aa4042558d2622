import type { Attributes, Span } from '@opentelemetry/api'
import { withoutSecrets } from '../domain/api-keys.js'
import type { StorageObserver } from '../domain/storage/observer.js'
import type { UsageRepository } from '../domain/usage.js'
import type { Packages } from './packages.js'

/** Runs work in a span of its own, below the active one; without a span where none is active. */
type Traced = <Result>(
  name: string,
  attributes: Attributes,
  run: (span?: Span) => Result | Promise<Result>
) => Promise<Result>

/** Returns the function that runs work in a span. */
export function tracedBy ({ trace, SpanStatusCode }: Packages['api'], scope: string): Traced {
  const tracer = trace.getTracer(scope)
  return async (name, attributes, run) => {
    // What a server does by itself, such as looking for Redis, would be a trace each time.
    if (!trace.getActiveSpan()) return await run()
    return await tracer.startActiveSpan(name, { attributes }, async (span) => {
      try {
        return await run(span)
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: withoutSecrets(String(error)) })
        throw error
      } finally {
        span.end()
      }
    })
  }
}

/** Makes what traces the work of the storage. The statements themselves stand in no trace: they are many, and long. */
export function storageSpans (traced: Traced): StorageObserver {
  return {
    during: ({ engine, operation }, run) =>
      traced(`${engine} ${operation}`, { 'db.system.name': engine, 'db.operation.name': operation }, () => run())
  }
}

/** Gives counters that do the same, each decision of which is traced with the id of its key. */
export function tracedUsage (traced: Traced, usage: UsageRepository): UsageRepository {
  return {
    charge: (key, now) =>
      traced('limits', { 'petstore.key.id': key.id }, async (span) => {
        const decision = await usage.charge(key, now)
        span?.setAttribute('petstore.limits.outcome', decision.verdict)
        return decision
      }),
    usageOf: (now) => usage.usageOf(now)
  }
}
