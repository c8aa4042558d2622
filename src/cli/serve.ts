import { Command } from 'commander'
import type { FastifyInstance } from 'fastify'
import { checkServing, readConfig, type Config } from '../config.js'
import { SERVER } from '../domain/api-keys/history.js'
import { steadyClock } from '../domain/clock.js'
import { openStorage, type Storage } from '../storage/open.js'
import type { Context } from './context.js'
import { createKey } from './keys.js'
import { listen } from './listen.js'
import { observe, observedLogger, observedRepositories, showMetrics, type Observation } from './observation/observation.js'
import { stopOnSignals } from './stop.js'
import { progressOn } from './terminal/progress.js'
import { writeSecret } from './terminal/secret.js'
import { settingsHelp } from './terminal/settings-help.js'
import { holdTick } from './tick.js'

/** `petstore serve`: the service. */
export function serveCommand (context: Context): Command {
  return new Command('serve')
    .description('Run the service (the default). Settings come from the environment.')
    .addHelpText('after', settingsHelp())
    .addHelpText('after', '\nExample:\n  PORT=8080 DATABASE_URL=sqlite:/var/lib/petstore/petstore.db petstore serve')
    .action(() => serve(context))
}

async function serve (context: Context): Promise<void> {
  const { env, out, clock: wall } = context
  const config = readConfig(env)
  checkServing(config)
  await holdTick()
  // Loaded here, so that the other subcommands start at once.
  const { buildApp } = await import('../app.js')
  const { basePathOf } = await import('../contract/index.js')
  const { serverOptionsOf } = await import('./server-options.js')
  const { warnings, ...options } = await serverOptionsOf(config)
  let app: FastifyInstance | undefined
  const observation = await observe(config, () => app)
  const storage = await progressOn(out).during('Opening the database', () =>
    openServerStorage(config, () => app, observation)
  )
  const lifecycle = { draining: false }
  const clock = steadyClock(
    () => wall.now(),
    () => performance.now(),
    (milliseconds) => app?.log.warn({ milliseconds }, CLOCK_SET_BACK)
  )
  let leaveSignals = (): void => {}
  try {
    app = await buildApp({
      ...options,
      ...observation,
      logger: observedLogger(observation, options.logger),
      repositories: observedRepositories(observation, storage),
      clock,
      lifecycle,
      ping: storage.ping,
      degraded: storage.degraded
    })
    for (const warning of [...warnings, ...storage.warnings]) app.log.warn(warning)
    const metrics = await showMetrics(observation, storage, config)
    const root = await listen(app, config)
    if (metrics !== undefined) app.log.info({ address: metrics }, 'the metrics are served')
    leaveSignals = stopOnSignals({ app, storage, lifecycle, drainDelay: config.DRAIN_DELAY * 1000 })
    const makesKey = config.REDIS_URL === undefined && config.NODE_ENV !== 'production'
    await greet(context, app, storage, { root, basePath: basePathOf(options.document), makesKey, docs: config.DOCS })
  } catch (error) {
    leaveSignals()
    await app?.close()
    await storage.close()
    throw error
  }
}

const KEY_UNSEEN = 'the API key for development was revoked, as it could not be shown; create another one'
const CLOCK_SET_BACK =
  'the clock of this machine was set back; the service goes on from where it was; restart it to take over the time'
const REDIS_LOST = 'Redis cannot be asked: this server counts its share of the limits by itself'
const REDIS_BACK = 'Redis is back: all servers count together again'
const REDIS_COUNTS_UNSAVED =
  'the counts of the limits cannot be saved: while that lasts, a Redis that loses its memory gives them back'
const COUNTS_UNSAVED =
  'the counts of the limits cannot be saved: while that lasts, half of each limit is admitted, and a crash forgets it'
const USAGE_UNWRITTEN = 'what keys use by day cannot be written: it is kept in memory until that works again'

/** Opens the storage of a server, whose log tells when its counters fail; `app` gives undefined before there is one. */
function openServerStorage (
  { DATABASE_URL, DATABASE_ANEW: anew, REDIS_URL }: Config,
  app: () => FastifyInstance | undefined,
  { storage: observer }: Observation
): Promise<Storage> {
  const onChange = (degraded: boolean, cause?: Error): void => {
    if (degraded) app()?.log.error({ err: cause }, REDIS_LOST)
    else app()?.log.warn(REDIS_BACK)
  }
  const onUnsaved = (message: string) => (cause: Error): void => {
    app()?.log.error({ err: cause }, message)
  }
  const onUnwritten = onUnsaved(USAGE_UNWRITTEN)
  if (REDIS_URL === undefined) {
    return openStorage(DATABASE_URL, { owner: true, anew, observer, onUnsaved: onUnsaved(COUNTS_UNSAVED), onUnwritten })
  }
  const shared = { redisUrl: REDIS_URL, onChange, onUnsaved: onUnsaved(REDIS_COUNTS_UNSAVED) }
  return openStorage(DATABASE_URL, { owner: true, observer, shared, onUnwritten })
}

/**
 * Tells the person who started the server where it is and how to make the first call. A file without keys gets one for
 * development, which is revoked if it cannot be shown. With NODE_ENV=production or on PostgreSQL none is made: what is
 * written at a start goes to a log there, and a log is no place for a secret.
 */
async function greet (
  { program, out, clock }: Context,
  app: FastifyInstance,
  { repositories: { keyHistory } }: Storage,
  { root, basePath, makesKey, docs }: { root: string; basePath: string; makesKey: boolean; docs: boolean }
): Promise<void> {
  const apiKeys = keyHistory.recordedBy(SERVER, clock)
  const isFirst = makesKey && (await apiKeys.isEmpty())
  const made = isFirst ? await createKey(apiKeys, { plan: 'free', name: 'development', test: true }, clock) : undefined
  const where = `Petstore API on ${root}${basePath}${docs ? `, docs page on ${root}/docs` : ''}`
  const how = made
    ? `The database had no API key, so ${made.key.id} was made for development. It is shown this once. First call:`
    : `First call, with a key of yours (${program} keys create makes one):`
  const call = `  curl -H "Authorization: Bearer ${made?.secret ?? '$PETSTORE_KEY'}" ${root}${basePath}/pets`
  const failure = await writeSecret(out.stderr, [where, '', how, '', call, ''].join('\n'))
  if (!made || !failure) return
  await apiKeys.revoke(made.key.id, new Date(clock.now()))
  app.log.warn({ keyId: made.key.id, reason: failure }, KEY_UNSEEN)
}
