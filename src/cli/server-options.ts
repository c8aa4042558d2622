import { readFile } from 'node:fs/promises'
import type { Config } from '../config.js'
import type { ServerOptions } from '../server.js'
import { loggerOf } from './log.js'

/**
 * What the service and its mock are both built from: the document, and the settings in the form of the app.
 * @throws {ContractError} when the document cannot be used
 */
export async function serverOptionsOf (config: Config): Promise<ServerOptions> {
  const { readDocument } = await import('../contract/index.js')
  const source = await readFile(new URL('../../openapi/petstore.yaml', import.meta.url), 'utf8')
  const types = await readFile(new URL('../../generated/petstore.d.ts', import.meta.url), 'utf8')
  return {
    document: await readDocument(source),
    source,
    types,
    logger: loggerOf(config.LOG_LEVEL),
    settings: {
      corsOrigin: config.CORS_ORIGIN,
      docs: config.DOCS,
      enforceSunset: config.SUNSET_ENFORCE,
      experimental: config.EXPERIMENTAL,
      keepAliveTimeout: config.KEEP_ALIVE_TIMEOUT * 1000,
      maxConnections: config.MAX_CONNECTIONS,
      trustProxy: config.TRUST_PROXY
    }
  }
}
