import type { Attributes, Span } from '@opentelemetry/api'
import { withoutSecrets } from '../domain/api-keys.js'
import type { StorageObserver } from '../domain/storage/observer.js'
import type { UsageRepository } from '../domain/usage.js'
import type { Packages } from './packages.js'

/** Runs work in a span of its own, below the one of now; without a span where none is under way. */
type Traced = <Result>(name: string, attributes: Attributes, run: (span?: Span) => Result) => Result

/** Makes the function that runs work in a span. */
export function tracedBy ({ trace, SpanStatusCode }: Packages['api'], scope: string): Traced {
  const tracer = trace.getTracer(scope)
  return (name, attributes, run) => {
    // What a server does of itself, as its look for Redis, would be a trace each time.
    if (!trace.getActiveSpan()) return run()
    return tracer.startActiveSpan(name, { attributes }, (span) => {
      const end = (): void => span.end()
      const fail = (error: unknown): void => {
        span.setStatus({ code: SpanStatusCode.ERROR, message: withoutSecrets(String(error)) })
        span.end()
      }
      try {
        const result = run(span)
        // Whoever asked gets the promise of the work itself.
        if (result instanceof Promise) result.then(end, fail)
        else end()
        return result
      } catch (error) {
        fail(error)
        throw error
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
      traced('limits', { 'petstore.key.id': key.id }, (span) => {
        const decision = usage.charge(key, now)
        if (!(decision instanceof Promise)) span?.setAttribute('petstore.limits.outcome', decision.verdict)
        else decision.then(({ verdict }) => span?.setAttribute('petstore.limits.outcome', verdict), () => {})
        return decision
      }),
    usageOf: (now) => usage.usageOf(now)
  }
}
