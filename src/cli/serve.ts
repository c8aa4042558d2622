import { Command } from 'commander'
import type { FastifyInstance } from 'fastify'
import { checkServing, readConfig, type Config } from '../config.js'
import { steadyClock, systemClock } from '../domain/clock.js'
import { openStorage, type Storage } from '../storage/open.js'
import { createKey } from './keys.js'
import { listen } from './listen.js'
import { serverOptionsOf } from './server-options.js'
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
  checkServing(config)
  // Loaded here, so that the other subcommands start at once.
  const { buildApp } = await import('../app.js')
  const { basePathOf } = await import('../contract/index.js')
  const options = await serverOptionsOf(config)
  let app: FastifyInstance | undefined
  const onChange = (degraded: boolean, cause?: Error): void => {
    if (degraded) {
      app?.log.error({ err: cause }, 'Redis cannot be asked: this server counts its share of the limits by itself')
    } else app?.log.warn('Redis is back: all servers count together again')
  }
  const onUnsaved = (cause: Error): void => {
    app?.log.error(
      { err: cause },
      'the counts of the limits cannot be saved: while that lasts, a Redis that loses its memory gives them back'
    )
  }
  const storage = await openStorage(config.DATABASE_URL, {
    owner: true,
    shared: config.REDIS_URL === undefined ? undefined : { redisUrl: config.REDIS_URL, onChange, onUnsaved }
  })
  const lifecycle = { draining: false }
  const clock = steadyClock(
    systemClock.now,
    () => performance.now(),
    (milliseconds) =>
      app?.log.warn(
        { milliseconds },
        'the clock of this machine was set back; the service goes on from where it was; restart it to take over the time'
      )
  )
  try {
    app = await buildApp({
      ...options,
      repositories: storage.repositories,
      clock,
      lifecycle,
      ping: storage.ping,
      degraded: storage.degraded
    })
    for (const warning of storage.warnings) app.log.warn(warning)
    stopOnSignals({ app, storage, lifecycle, drainDelay: config.DRAIN_DELAY * 1000 })
    const root = await listen(app, config)
    console.error(await greeting(root, basePathOf(options.document), storage, config))
  } catch (error) {
    await app?.close()
    await storage.close()
    throw error
  }
}

/**
 * For the person who started the server: where it is and how to make the first call. A file without keys gets one for
 * development; a PostgreSQL does not, since the first start is one of several servers there, and their logs are no
 * place for a secret.
 */
async function greeting (
  root: string,
  basePath: string,
  { repositories: { apiKeys } }: Storage,
  { DOCS, REDIS_URL }: Config
): Promise<string> {
  const lines = [`Petstore API on ${root}${basePath}${DOCS ? `, docs page on ${root}/docs` : ''}`, '']
  if (REDIS_URL !== undefined || !(await apiKeys.isEmpty())) {
    lines.push(
      'First call, with a key of yours (npm run keys -- create makes one):',
      '',
      `  curl -H "Authorization: Bearer $PETSTORE_KEY" ${root}${basePath}/pets`,
      ''
    )
  } else {
    const { key, secret } = await createKey(apiKeys, { plan: 'free', name: 'development', test: true })
    lines.push(
      `The database had no API key, so ${key.id} was made for development. It is shown this once. First call:`,
      '',
      `  curl -H "Authorization: Bearer ${secret}" ${root}${basePath}/pets`,
      ''
    )
  }
  return lines.join('\n')
}
