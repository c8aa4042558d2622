import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { Command } from 'commander'
import type { FastifyInstance } from 'fastify'
import { readConfig, type Config } from '../config.js'
import { steadyClock, systemClock } from '../domain/clock.js'
import { openStorage, type Storage } from '../storage/open.js'
import { EXIT_CONFIGURATION, EXIT_TEMPORARY, StartRefusal } from '../domain/start-refusal.js'
import { createKey } from './keys.js'
import { loggerOf } from './log.js'
import { stopOnSignals } from './stop.js'

export function serveCommand (): Command {
  return new Command('serve')
    .description('Run the service. Settings come from the environment; the README lists them.')
    .addHelpText('after', '\nExample:\n  PORT=8080 DATABASE_URL=sqlite:/var/lib/petstore/petstore.db petstore serve')
    .allowExcessArguments()
    .action(async (_options: object, command: Command) => {
      const [word] = command.args
      if (word !== undefined) command.error(`error: unknown command '${word}'`)
      await serve()
    })
}

async function serve (): Promise<void> {
  const config = readConfig(process.env)
  // Loaded here, so that the other subcommands start at once.
  const { buildApp } = await import('../app.js')
  const { basePathOf, readDocument } = await import('../contract/document.js')
  const source = await readFile(new URL('../../openapi/petstore.yaml', import.meta.url), 'utf8')
  const types = await readFile(new URL('../../generated/petstore.d.ts', import.meta.url), 'utf8')
  const document = await readDocument(source)
  const storage = openStorage(config.DATABASE_URL, { owner: true })
  const lifecycle = { draining: false }
  let app: FastifyInstance | undefined
  const clock = steadyClock(systemClock.now, () => performance.now(), (milliseconds) => app?.log.warn({ milliseconds }, 'the clock of this machine was set back; the service goes on from where it was; restart it to take over the time'))
  try {
    app = await buildApp({
      document,
      source,
      types,
      repositories: storage.repositories,
      clock,
      lifecycle,
      ping: storage.ping,
      logger: loggerOf(config.LOG_LEVEL),
      settings: {
        corsOrigin: config.CORS_ORIGIN,
        docs: config.DOCS,
        enforceSunset: config.SUNSET_ENFORCE,
        keepAliveTimeout: config.KEEP_ALIVE_TIMEOUT * 1000,
        maxConnections: config.MAX_CONNECTIONS,
        trustProxy: config.TRUST_PROXY
      }
    })
    stopOnSignals({ app, storage, lifecycle, drainDelay: config.DRAIN_DELAY * 1000 })
    await listen(app, config)
    console.error(await greeting(app, basePathOf(document), storage, config))
  } catch (error) {
    await app?.close()
    await storage.close()
    throw error
  }
}

async function listen (app: FastifyInstance, { HOST: host, PORT: port }: Config): Promise<void> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code, syscall = '' } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new StartRefusal(`Port ${port} on ${host} is in use by another program. Stop it, or set PORT.`, EXIT_TEMPORARY)
    if (['listen', 'bind', 'getaddrinfo'].includes(syscall)) throw new StartRefusal(`Cannot listen on ${host}, port ${port}: ${code}. Correct HOST or PORT.`, EXIT_CONFIGURATION)
    throw error
  }
}

/** For the person who started the server: where it is and how to make the first call. A database without keys gets one for development. */
async function greeting (app: FastifyInstance, basePath: string, { repositories: { apiKeys } }: Storage, config: Config): Promise<string> {
  const { port } = app.server.address() as AddressInfo
  const root = `http://${['0.0.0.0', '::'].includes(config.HOST) ? 'localhost' : config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}`
  const lines = [`Petstore API on ${root}${basePath}${config.DOCS ? `, docs page on ${root}/docs` : ''}`, '']
  if ((await apiKeys.list()).length > 0) {
    lines.push('First call, with a key of yours (npm run keys -- create makes one):', '', `  curl -H "Authorization: Bearer $PETSTORE_KEY" ${root}${basePath}/pets`, '')
  } else {
    const { key, secret } = await createKey(apiKeys, { plan: 'free', name: 'development', test: true })
    lines.push(`The database had no API key, so ${key.id} was made for development. It is shown this once. First call:`, '', `  curl -H "Authorization: Bearer ${secret}" ${root}${basePath}/pets`, '')
  }
  return lines.join('\n')
}
