import { execFile } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { parse } from 'yaml'
import { startProgram } from '../../../scripts/cluster/program.js'
import { freePort, launch, programAt, Server } from '../../../scripts/cluster/server.js'
import { temporaryFolder } from '../../../scripts/command/lifetime.js'
import { checkServing, readConfig, SETTINGS } from '../../../src/config.js'
import { until } from '../../support/until.js'
import { ROOT, textOf } from '../../support/documents.js'
import { leaveOut } from '../../support/leave-out.js'
import { Mounted } from './mounted.js'

/** A service of the composition, as far as it is looked at. */
interface Composed {
  image?: string
  environment?: Record<string, string>
  ports?: string[]
  volumes?: string[]
  networks?: string[]
  depends_on?: object
  healthcheck?: object
  read_only?: boolean
}

const FOLDER = 'docs/deployment'
const containerfile = textOf(`${FOLDER}/Containerfile`)
const { services, networks, volumes } = parse(textOf(`${FOLDER}/compose.yaml`)) as Record<
  'services' | 'networks' | 'volumes',
  Record<string, Composed>
>
const composed = Object.entries(services)
const taken = [...containerfile.matchAll(/^COPY --from=build \/petstore\/(\S+)/gm)].map(([, name]) => name!)

t.test('the container file copies what is there, and what the program needs', async (t) => {
  const copied = [...containerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) => names!.split(' '))
  for (const name of copied) t.ok(existsSync(join(ROOT, name)), name)
  t.same(taken.sort(), ['dist', 'generated', 'node_modules', 'openapi/guide.md', 'openapi/petstore.yaml', 'package.json'])
  const environment = Object.fromEntries(
    [...containerfile.match(/^ENV (.+)$/m)![1]!.matchAll(/(\S+?)=(\S+)/g)].map(([, a, b]) => [a, b])
  )
  t.match(readConfig(environment), { HOST: '0.0.0.0', PORT: 3000 })
  t.match(containerfile, /^USER node$/m)
})

t.test('the program starts from the files that the image has, and serves its pages', async (t) => {
  const image = await temporaryFolder(t)
  for (const name of taken.filter((name) => name !== 'node_modules')) {
    cpSync(join(ROOT, name), join(image, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(image, 'node_modules'))
  const database = { DATABASE_URL: `sqlite:${join(await temporaryFolder(t), 'petstore.db')}` }
  const { root } = await startProgram(t, database, ['serve'], image, join(image, 'dist/main.js'))
  for (const path of ['/docs', '/readyz']) t.equal((await fetch(root + path)).status, 200, path)
})

t.test('the settings in the composition are those of the program, and can be served', async (t) => {
  const { environment = {}, read_only: readOnly } = services.petstore!
  const given = Object.fromEntries(
    Object.entries(environment).map(([name, text]) => [name, text.replace(/\$\{[^}]+\}/g, 'secret')])
  )
  for (const name of Object.keys(given)) t.ok(name in SETTINGS, name)
  checkServing(readConfig(given))
  t.equal(readOnly, true)
})

t.test('each service of the composition tells its health, and needs what is there', async (t) => {
  for (const [name, service] of composed) {
    t.ok(service.healthcheck ?? name === 'petstore', `${name}: the image of petstore has its own`)
    for (const other of Object.keys(service.depends_on ?? {})) t.ok(other in services, `${name} needs ${other}`)
    for (const network of service.networks ?? []) t.ok(network in { default: {}, ...networks }, `${name} is on ${network}`)
    if (service.image) t.match(service.image, /:v?\d/, `${name} is of a version`)
  }
})

t.test('no password has a value in the composition: each must be given', async (t) => {
  const text = textOf(`${FOLDER}/compose.yaml`)
  const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!))
  t.same([...used].sort(), ['GRAFANA_PASSWORD', 'POSTGRES_PASSWORD', 'REDIS_PASSWORD'])
  for (const name of used) t.ok(text.includes(`\${${name}:?`), `${name} is asked for`)
  for (const [name, { environment = {} }] of composed) {
    for (const [variable, value] of Object.entries(environment)) {
      if (variable.includes('PASSWORD')) t.match(value, /^\$\{\w+(:\?[^}]+)?\}$/, `${variable} of ${name}`)
    }
  }
})

t.test('what the composition mounts is there, and no container may write to it', async (t) => {
  for (const [name, { volumes: mounts = [] }] of composed) {
    for (const mount of mounts) {
      const [from, , mode] = mount.split(':') as [string, string, string?]
      if (!from.startsWith('.')) t.ok(from in volumes, `the volume ${from} of ${name}`)
      else {
        t.ok(existsSync(join(ROOT, FOLDER, from)), mount)
        t.equal(mode, 'ro', mount)
      }
    }
  }
})

t.test('every port of the composition is open to its machine alone, and the metrics are open to Prometheus alone', async (t) => {
  const { METRICS_HOST: host, METRICS_PORT: port } = services.petstore!.environment!
  t.equal(host, '0.0.0.0')
  for (const [name, { ports = [] }] of composed) {
    for (const published of ports) {
      t.match(published, /^127\.0\.0\.1:\d+:\d+$/, name)
      t.not(published.split(':').at(-1), port, name)
    }
  }
  const networksOf = (name: string) => services[name]!.networks
  t.same(networksOf('petstore'), ['default', 'monitoring'])
  t.same([networksOf('prometheus'), networksOf('grafana')], [['monitoring'], ['monitoring']])
  t.same([networksOf('postgres'), networksOf('redis')], [undefined, undefined])
})

t.test('with what the composition mounts, Prometheus reads a server and watches over it', async (t) => {
  const [promtool, prometheus] = [programAt('promtool'), programAt('prometheus')]
  if (!promtool || !prometheus) return leaveOut(t, 'prometheus is not installed')
  const mounted = new Mounted(await temporaryFolder(t), FOLDER, services.prometheus!.volumes!)
  const config = mounted.at('/etc/prometheus/prometheus.yaml')
  await promisify(execFile)(promtool, ['check', 'config', config])
  const port = await freePort()
  const database = { DATABASE_URL: `sqlite:${join(await temporaryFolder(t), 'petstore.db')}` }
  await startProgram(t, { ...database, METRICS_PORT: String(port) })
  const { METRICS_PORT: metricsPort } = services.petstore!.environment!
  mounted.replace(config, `petstore:${metricsPort}`, `127.0.0.1:${port}`)
  mounted.replace(config, 'scrape_interval: 15s', 'scrape_interval: 1s')
  const ask = async (port: number, path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).json() as Promise<any>
  const server = await Server.start({
    command: (at, port) =>
      launch(prometheus, [
        `--config.file=${config}`,
        `--storage.tsdb.path=${at}`,
        `--web.listen-address=127.0.0.1:${port}`
      ]),
    ready: (port) => ask(port, '/api/v1/status/config')
  })
  t.teardown(() => server.remove())
  const query = encodeURIComponent('up{job="petstore"} == 1 and on (instance) petstore_info{job="petstore"}')
  await until(async () => (await ask(server.port, `/api/v1/query?query=${query}`)).data.result.length === 1)
  const { data } = await ask(server.port, '/api/v1/rules')
  const wanted = parse(textOf('docs/monitoring/petstore.rules.yaml')).groups[0].rules.map((rule: any) => rule.alert)
  t.same(data.groups[0].rules.map((rule: any) => rule.name), wanted)
})

t.test('rules, dashboard and both configurations of Prometheus name one job', async (t) => {
  for (const path of [`${FOLDER}/monitoring/prometheus.yaml`, 'docs/monitoring/prometheus.yaml']) {
    const { scrape_configs: jobs, rule_files: files } = parse(textOf(path))
    t.same(jobs.map((job: any) => job.job_name), ['petstore'], path)
    t.same(files, ['petstore.rules.yaml'], path)
  }
  for (const path of ['docs/monitoring/petstore.rules.yaml', 'docs/monitoring/grafana-dashboard.json']) {
    const asked = [...textOf(path).matchAll(/job=\\?"([^"\\]*)/g)].map(([, job]) => job)
    t.same([...new Set(asked)], ['petstore'], path)
  }
})

t.test('with what the composition mounts, Grafana finds Prometheus and the dashboard', async (t) => {
  const mounted = new Mounted(await temporaryFolder(t), FOLDER, services.grafana!.volumes!)
  const provisioned = (kind: string) =>
    parse(readFileSync(mounted.at(`/etc/grafana/provisioning/${kind}/petstore.yaml`), 'utf8'))
  const { datasources } = provisioned('datasources')
  t.match(datasources, [{ type: 'prometheus', access: 'proxy', isDefault: true }])
  t.equal(datasources.length, 1)
  const { hostname, port } = new URL(datasources[0].url)
  t.ok(hostname in services, hostname)
  t.equal(port, '9090', 'where Prometheus listens unless told otherwise')
  const interval = parse(textOf(`${FOLDER}/monitoring/prometheus.yaml`)).global.scrape_interval
  t.equal(datasources[0].jsonData.timeInterval, interval)
  const { providers } = provisioned('dashboards')
  t.equal(providers.length, 1)
  const dashboard = '/etc/grafana/dashboards/petstore.json'
  t.equal(providers[0].options.path, dirname(dashboard))
  t.match(JSON.parse(readFileSync(mounted.at(dashboard), 'utf8')), { uid: 'petstore', templating: { list: [{ query: 'prometheus' }] } })
})
