import type { Config } from '../config.js'
import type { ServerOptions } from '../server.js'
import { openDocument } from './document.js'
import { packageFolder, readPackageFile } from './files/package-file.js'
import { loggerOf } from './log.js'

/**
 * Gives what the service and its mock are both built from: the document, and the settings in the form of the app.
 * @throws {ContractError} when the document cannot be used
 * @throws {StartRefusal} when a file of the program cannot be read
 */
export async function serverOptionsOf (config: Config): Promise<ServerOptions & { warnings: string[] }> {
  const folder = packageFolder()
  return {
    ...(await openDocument(folder)),
    types: config.DOCS ? readPackageFile('generated/petstore.d.ts', folder) : '',
    guide: config.DOCS ? readPackageFile('openapi/guide.md', folder) : undefined,
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
