import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder } from '../../scripts/command/lifetime.js'
import { serveInProcess } from '../../scripts/service/in-process.js'
import type { AppOptions } from '../../src/app.js'
import { createKey } from '../../src/cli/keys.js'
import type { Plan } from '../../src/domain/plans.js'
import { Metrics, type MetricsOptions } from '../../src/metrics/metrics.js'
import { openStorage, type OpenOptions } from '../../src/storage/open.js'
import { TestClock } from '../support/clock.js'
import { document, sendTo, SETTINGS, source, types, type Service } from '../support/service.js'

/** The samples of a reading of the metrics, by name and labels as Prometheus writes them. */
export type Samples = Map<string, number>

export interface Measured {
  root: string
  port: number
  clock: TestClock
  /** The DATABASE_URL of its storage. */
  url: string
  makeKey(plan?: Plan): Promise<string>
  fetch: Service['fetch']
  /** Where the metrics are. */
  metricsUrl: string
  /** Reads the metrics. */
  read(): Promise<Samples>
}

interface Options {
  logger?: AppOptions['logger']
  wrap?: (repositories: AppOptions['repositories']) => AppOptions['repositories']
  settings?: Partial<AppOptions['settings']>
  url?: string
  shared?: OpenOptions['shared']
  backupPath?: MetricsOptions['backupPath']
}

/** Runs the service with its metrics, as the program does, until the test ends. */
export async function startMeasured (
  t: Test,
  { logger, wrap = (repositories) => repositories, settings = {}, url, shared, backupPath }: Options = {}
): Promise<Measured> {
  const folder = await temporaryFolder(t)
  const opened = url ?? `sqlite:${join(folder, 'petstore.db')}`
  const clock = new TestClock()
  const metrics = new Metrics({
    version: '1.2.3',
    engine: opened.startsWith('sqlite:') ? 'sqlite' : 'postgresql',
    backupPath,
    clock
  })
  const storage = await openStorage(opened, { owner: true, shared, observer: metrics.storage })
  t.teardown(() => storage.close().catch(() => {}))
  metrics.showState(storage)
  const repositories = wrap({
    ...storage.repositories,
    idempotency: metrics.idempotency(storage.repositories.idempotency)
  })
  const { root, port } = await serveInProcess(t, {
    document,
    source,
    types,
    storage,
    repositories,
    clock,
    metrics,
    ...(logger && { logger }),
    settings: { ...SETTINGS, ...settings }
  })
  metrics.server.listen(0, '127.0.0.1')
  await once(metrics.server, 'listening')
  const metricsUrl = `http://127.0.0.1:${(metrics.server.address() as AddressInfo).port}/metrics`
  const makeKey: Measured['makeKey'] = async (plan = 'free') => {
    const numbers = plan === 'enterprise' ? { perMinute: 1_000_000, perDay: 1_000_000 } : {}
    return (await createKey(storage.repositories.apiKeys, { plan, name: 'test', ...numbers })).secret
  }
  const read = () => readMetrics(metricsUrl)
  return { root, port, clock, url: opened, makeKey, fetch: sendTo(root), metricsUrl, read }
}

/** Reads the metrics at a URL, each time over a connection of its own. */
export async function readMetrics (url: string): Promise<Samples> {
  const text = await textAt(url)
  return new Map(
    text.split('\n').flatMap((line) => {
      if (line === '' || line.startsWith('#')) return []
      const end = line.lastIndexOf(' ')
      return [[line.slice(0, end), Number(line.slice(end + 1))]]
    })
  )
}

/** Reads the text at a URL. */
export function textAt (url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(url, { agent: false }, async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      resolve(text)
    })
      .on('error', reject)
      .end()
  })
}

/** The samples of a metric that are not zero, by their labels. */
export function samplesOf (samples: Samples, name: string): Record<string, number> {
  const own = [...samples].filter(([sample, value]) => sample.replace(/\{.*/, '') === name && value !== 0)
  return Object.fromEntries(own.map(([sample, value]) => [sample.slice(name.length), value]))
}
