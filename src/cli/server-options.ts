import { readFile } from 'node:fs/promises'
import type { Config } from '../config.js'
import type { ServerOptions } from '../server.js'
import { openDocument } from './document.js'
import { loggerOf } from './log.js'

/**
 * Gives what the service and its mock are both built from: the document, and the settings in the form of the app.
 * @throws {ContractError} when the document cannot be used
 */
export async function serverOptionsOf (config: Config): Promise<ServerOptions> {
  // Found by the package, since a bundled file lies elsewhere than its source.
  const folder = new URL('.', import.meta.resolve('#package.json'))
  return {
    ...(await openDocument(folder)),
    types: await readFile(new URL('generated/petstore.d.ts', folder), 'utf8'),
    logger: await loggerOf(config.LOG_LEVEL),
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
