import { EXIT_CONFIGURATION, StartRefusal } from '../domain/start-refusal.js'

/**
 * Loads the packages of OpenTelemetry. They weigh more than half of all others, so only those who want traces install
 * them.
 * @throws {StartRefusal} when they are not installed
 */
export async function loadPackages () {
  try {
    const [api, otel, exporter, resources, sdk] = await Promise.all([
      import('@opentelemetry/api'),
      import('@fastify/otel'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace-node')
    ])
    return { api, otel, exporter, resources, sdk }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StartRefusal(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages that trace are not installed. ' +
        `Install them: npm install --no-save ${NAMES.join(' ')}. Or unset the variable.`,
      EXIT_CONFIGURATION,
      { cause: error }
    )
  }
}

/** As package.json has them among its optional peer dependencies. */
export const NAMES = [
  '@fastify/otel@^0.21.2',
  '@opentelemetry/api@~1.9.1',
  '@opentelemetry/exporter-trace-otlp-http@~0.222.0',
  '@opentelemetry/resources@~2.11.0',
  '@opentelemetry/sdk-trace-node@~2.11.0'
]

export type Packages = Awaited<ReturnType<typeof loadPackages>>
