import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import pg from 'pg'
import t, { type Test } from 'tap'
import { parse, stringify } from 'yaml'
import { MAIN } from '../../scripts/cluster/program.js'
import { startRedis } from '../../scripts/cluster/redis.js'
import { programAt } from '../../scripts/cluster/server.js'
import { temporaryFolder } from '../../scripts/command/lifetime.js'
import { BAN_GRACE } from '../../src/domain/bans.js'
import { migratedPostgres, missingScaled } from '../support/databases.js'
import { ROOT } from '../support/documents.js'
import { leaveOut } from '../support/leave-out.js'
import { checkAlerts, History } from './history.js'
import { readMetrics, startMeasured, type Measured } from './measured.js'
import { until } from '../support/until.js'

const missing = programAt('promtool') ? undefined : 'promtool is not installed'
const RULES = join(ROOT, 'docs/monitoring/petstore.rules.yaml')
const PET = { name: 'Rex', categoryId: 1 }
const fired = new Set<string>()

/** A test of what fires when the metrics of a service tell a story. */
function testAlerts (
  title: string,
  alerts: string[],
  tell: (t: Test, history: History) => Promise<void>,
  after = 30
): void {
  t.test(title, async (t) => {
    if (missing) return leaveOut(t, missing)
    const history = new History()
    await tell(t, history)
    await checkAlerts(t, history, alerts, { after })
    for (const alert of alerts) fired.add(alert)
    t.pass(`${alerts.join(', ') || 'none'} fired`)
  })
}

/** A service over whose first call nothing is to be said, with a key that may call as often as it likes. */
async function startCalm (
  t: Test,
  history: History,
  options: Parameters<typeof startMeasured>[1] = {}
): Promise<Measured & { key: string }> {
  const service = await startMeasured(t, options)
  const key = await service.makeKey('enterprise')
  await service.fetch('GET', '/v1/pets', { key })
  await service.read()
  await history.read(service.metricsUrl)
  return { ...service, key }
}

testAlerts('no alert fires while all is well', [], async (t, history) => {
  const { fetch, key, metricsUrl } = await startCalm(t, history)
  for (let i = 0; i < 100; i++) {
    await fetch('GET', '/v1/pets', { key })
    await fetch('POST', '/v1/pets', { key, body: PET })
    await fetch('GET', '/v1/pets/7777', { key })
  }
  await history.read(metricsUrl)
})

testAlerts('an alert fires when a server does not answer', ['PetstoreDown'], async (t, history) => {
  const program = await startWithMetrics(t)
  await history.read(program.metricsUrl)
  await program.stop()
  await history.read(program.metricsUrl)
})

testAlerts(
  'an alert fires when a server is started again and again',
  ['PetstoreRestarts'],
  async (t, history) => {
    for (let i = 0; i < 4; i++) {
      const program = await startWithMetrics(t)
      await history.read(program.metricsUrl)
      await program.stop()
      // The time of a start is told in whole seconds.
      await sleep(1_100)
    }
  },
  5
)

testAlerts(
  'alerts fire when another program keeps the database locked',
  ['PetstoreServerErrors', 'PetstoreSlow', 'PetstoreDatabaseReadOnly', 'PetstoreLockWaits'],
  async (t, history) => {
    const { fetch, key, metricsUrl, url } = await startCalm(t, history)
    const other = new DatabaseSync(url.slice('sqlite:'.length))
    t.teardown(() => other.close())
    other.exec('BEGIN IMMEDIATE')
    t.equal((await fetch('POST', '/v1/pets', { key, body: PET })).status, 503)
    await history.read(metricsUrl)
  }
)

testAlerts('an alert fires when the database is gone', ['PetstoreDatabaseUnreadable'], async (t, history) => {
  const { metricsUrl, url } = await startCalm(t, history)
  rmSync(url.slice('sqlite:'.length))
  await history.read(metricsUrl)
})

testAlerts('an alert fires when keys are banned', ['PetstoreKeysBanned'], async (t, history) => {
  const { clock, fetch, makeKey, metricsUrl } = await startCalm(t, history)
  const key = await makeKey()
  for (let i = 0; i < 61; i++) await fetch('GET', '/v1/pets', { key })
  clock.advance(BAN_GRACE)
  for (let i = 0; i < 10; i++) await fetch('GET', '/v1/pets', { key })
  await history.read(metricsUrl)
})

testAlerts('an alert fires when many calls have no valid key', ['PetstoreAddressesRefused'], async (t, history) => {
  const { fetch, metricsUrl } = await startCalm(t, history)
  for (let i = 0; i < 200; i++) await fetch('GET', '/v1/pets', { key: 'guessed' })
  await history.read(metricsUrl)
})

testAlerts('an alert fires when connections are refused', ['PetstoreConnectionsRefused'], async (t, history) => {
  const { metricsUrl, port, read } = await startCalm(t, history, { settings: { maxConnections: 2 } })
  const sockets = [1, 2, 3].map(() => connect(port, '127.0.0.1').on('error', () => {}))
  t.teardown(() => sockets.forEach((socket) => socket.destroy()))
  await until(async () => (await read()).get('petstore_connections_refused_total')! > 0)
  await history.read(metricsUrl)
})

testAlerts('an alert fires when new requests are refused early', ['PetstoreOverloaded'], async (t, history) => {
  const { fetch, key, metricsUrl, read } = await startCalm(t, history, {
    settings: { loadLimits: { wait: 60_000, underWay: 0 } }
  })
  const refused = async () => (await read()).get('petstore_requests_refused_total{reason="under_way"}')!
  await until(async () => {
    await Promise.all(Array.from({ length: 10 }, () => fetch('GET', '/v1/pets', { key })))
    return (await refused()) >= 10
  })
  await history.read(metricsUrl)
})

testAlerts('an alert fires when clients do not take their answers', ['PetstoreClientsCut'], async (t, history) => {
  const timeLimits = { headers: 60_000, request: 60_000, handler: 60_000, untaken: 500, check: 20 }
  const { fetch, key, metricsUrl, port, read } = await startCalm(t, history, { settings: { timeLimits } })
  for (let i = 0; i < 100; i++) await fetch('POST', '/v1/pets', { key, body: { ...PET, name: 'x'.repeat(15_000) } })
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  t.teardown(() => socket.destroy())
  socket.pause()
  const request = `GET /v1/pets?limit=100 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`
  socket.write(request.repeat(8))
  await until(async () => (await read()).get('petstore_connections_cut_total') === 1)
  await history.read(metricsUrl)
})

testAlerts('an alert fires when the event loop is late', ['PetstoreEventLoopDelayed'], async (t, history) => {
  const { metricsUrl, read } = await startCalm(t, history)
  await read()
  for (let i = 0; i < 5; i++) {
    const end = performance.now() + 400
    while (performance.now() < end);
    await sleep(5)
  }
  await history.read(metricsUrl)
})

testAlerts('an alert fires when the newest backup is old', ['PetstoreBackupOld'], async (t, history) => {
  const folder = t.testdir()
  const { clock, metricsUrl } = await startCalm(t, history, { backupPath: folder })
  const file = join(folder, 'petstore-old.db')
  writeFileSync(file, '')
  const time = clock.now() / 1000 - 48 * 3_600
  utimesSync(file, time, time)
  await history.read(metricsUrl)
})

testAlerts('an alert fires when the heap is nearly full', ['PetstoreHeapNearLimit'], async (t, history) => {
  // The program itself needs about 16 MB.
  const ballast = 'data:text/javascript,globalThis.ballast=Array.from({length:102},()=>new Array(131072).fill(1.5))'
  const program = await startWithMetrics(t, {
    node: ['--max-old-space-size=128', '--max-semi-space-size=1', '--import', ballast]
  })
  await history.read(program.metricsUrl)
  await history.read(program.metricsUrl)
})

testAlerts('an alert fires when most descriptors are in use', ['PetstoreDescriptorsNearLimit'], async (t, history) => {
  const program = await startWithMetrics(t, { descriptors: 48 })
  const { port } = new URL(program.root)
  await history.read(program.metricsUrl)
  const sockets = Array.from({ length: 14 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}))
  t.teardown(() => sockets.forEach((socket) => socket.destroy()))
  await until(async () => (await readMetrics(program.metricsUrl)).get('petstore_connections') === 14)
  await history.read(program.metricsUrl)
})

if (!missingScaled) {
  testAlerts(
    'alerts fire when requests wait for a connection to PostgreSQL',
    // Writes fail while the table is locked.
    ['PetstoreDatabaseReadOnly', 'PetstorePostgresqlExhausted', 'PetstoreServerErrors', 'PetstoreSlow'],
    async (t, history) => {
      const { server, url: redisUrl } = await startRedis()
      t.teardown(() => server.remove())
      const url = await migratedPostgres()
      const shared = { redisUrl, onChange () {} }
      const { fetch, key, metricsUrl, read } = await startCalm(t, history, { url, shared })
      const other = new pg.Client({ connectionString: url })
      await other.connect()
      t.teardown(() => other.end())
      await other.query('BEGIN')
      await other.query('LOCK TABLE pets IN ACCESS EXCLUSIVE MODE')
      const calls = Array.from({ length: 40 }, () => fetch('POST', '/v1/pets', { key, body: PET }))
      await until(async () => (await read()).get('petstore_postgresql_connections{state="waiting"}')! > 0)
      const waiting = new History()
      await waiting.read(metricsUrl)
      await Promise.all(calls)
      await history.read(metricsUrl)
      history.keepGauges(waiting, 'petstore_postgresql_connections')
    }
  )

  testAlerts('an alert fires when Redis is lost', ['PetstoreRedisLost'], async (t, history) => {
    const { server, url: redisUrl } = await startRedis()
    t.teardown(() => server.remove())
    const url = await migratedPostgres()
    const { metricsUrl, read } = await startCalm(t, history, { url, shared: { redisUrl, onChange () {} } })
    await server.remove()
    await until(async () => (await read()).get('petstore_redis_available') === 0)
    await history.read(metricsUrl)
  })
}

t.test('promtool accepts rules, configuration and the queries of the dashboard, and every rule has fired', async (t) => {
  if (missing) return leaveOut(t, missing)
  t.match(execFileSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' }), 'SUCCESS')
  t.match(
    execFileSync('promtool', ['check', 'config', join(ROOT, 'docs/monitoring/prometheus.yaml')], { encoding: 'utf8' }),
    'SUCCESS'
  )
  const rules = [...dashboardQueries()].map((expr, index) => ({ record: `query:${index}`, expr }))
  const queries = join(await temporaryFolder(t), 'queries.yaml')
  writeFileSync(queries, stringify({ groups: [{ name: 'dashboard', rules }] }))
  t.match(execFileSync('promtool', ['check', 'rules', queries], { encoding: 'utf8' }), `SUCCESS: ${rules.length} rules`)
  const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: { rules: { alert: string }[] }[] }
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
  t.same([...fired].sort(), alerts.sort())
})

/** The queries of the dashboard, with values for the variables that Grafana puts in. */
function dashboardQueries (): Set<string> {
  const { panels } = JSON.parse(readFileSync(join(ROOT, 'docs/monitoring/grafana-dashboard.json'), 'utf8')) as {
    panels: { targets?: { expr: string }[] }[]
  }
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  return new Set(queries.map((expr) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*')))
}

interface ProgramWithMetrics {
  root: string
  metricsUrl: string
  stop(): Promise<void>
}

/** Starts the program with its metrics, with options of Node and a limit on file descriptors when told so. */
async function startWithMetrics (
  t: Test,
  { node = [], descriptors }: { node?: string[]; descriptors?: number } = {}
): Promise<ProgramWithMetrics> {
  const database = `sqlite:${join(await temporaryFolder(t), 'petstore.db')}`
  const { NODE_OPTIONS: _tap, ...env } = process.env
  const limit = descriptors === undefined ? '' : `ulimit -n ${descriptors}; `
  const child = spawn('sh', ['-c', `${limit}exec "$@"`, 'sh', process.execPath, ...node, MAIN], {
    env: { ...env, PORT: '0', METRICS_PORT: '0', DATABASE_URL: database },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const exited = once(child, 'exit')
  t.teardown(() => child.kill('SIGKILL'))
  const addresses = () => /"address":"([^"]+)","msg":"the metrics/.exec(said) && /on (http:\/\/\S+?)\/v1/.exec(said)
  await until(async () => {
    if (child.exitCode !== null) throw new Error(said)
    return addresses() !== null
  })
  return {
    root: /on (http:\/\/\S+?)\/v1/.exec(said)![1]!,
    metricsUrl: /"address":"([^"]+)","msg":"the metrics/.exec(said)![1]!,
    async stop () {
      child.kill('SIGTERM')
      await exited
    }
  }
}
