import { EXIT_CONFIGURATION, StartRefusal } from '../domain/start-refusal.js'

/**
 * Loads the packages of OpenTelemetry. They weigh more than half of all others, so only those who want traces install
 * them.
 * @throws {StartRefusal} when they are not installed, with the command that installs these versions
 */
export async function loadPackages (versions: Record<string, string>) {
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
    const packages = Object.entries(versions).map(([name, range]) => `${name}@${range}`)
    throw new StartRefusal(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages that trace are not installed. ' +
        `Install them: npm install --no-save ${packages.join(' ')}. Or unset the variable.`,
      EXIT_CONFIGURATION,
      { cause: error }
    )
  }
}

export type Packages = Awaited<ReturnType<typeof loadPackages>>
