import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { Metrics } from '../../src/metrics/metrics.js'
import { startMeasured, textAt } from '../metrics/measured.js'
import { TestClock } from '../support/clock.js'
import { bare, tableUnder, textOf } from '../support/documents.js'

/** What a text of metrics says of each: its name, its type and what it means. */
function metricsIn (text: string): string[][] {
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]))
  return [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name, help]) => [name!, types.get(name!)!, help!])
}

/** The metrics that only a server on PostgreSQL has. */
async function textOnPostgres (t: Test): Promise<string> {
  const metrics = new Metrics({ version: '1.2.3', engine: 'postgresql', backupPath: undefined, clock: new TestClock() })
  metrics.showState({ ping: async () => ({ writable: true }), pool: () => undefined, degraded: () => false })
  metrics.server.listen(0, '127.0.0.1')
  await once(metrics.server, 'listening')
  t.teardown(() => metrics.server.close())
  return await textAt(`http://127.0.0.1:${(metrics.server.address() as AddressInfo).port}/metrics`)
}

async function metricsOfProgram (t: Test): Promise<string[][]> {
  const { metricsUrl } = await startMeasured(t, { backupPath: t.testdir() })
  const all = [...metricsIn(await textAt(metricsUrl)), ...metricsIn(await textOnPostgres(t))]
  return [...new Map(all.map((metric) => [metric[0], metric])).values()]
}

const rows = tableUnder(textOf('docs/operating.md'), 'Metrics').map((row) => row.map(bare))
const { groups } = parse(textOf('docs/monitoring/petstore.rules.yaml')) as {
  groups: { rules: { alert: string; expr: string; labels: { severity: string } }[] }[]
}
const rules = groups.flatMap(({ rules }) => rules)

t.test('the table of metrics is that of the program', async (t) => {
  const found = await metricsOfProgram(t)
  const own = (metrics: string[][]) => metrics.filter(([name]) => name!.startsWith('petstore_')).sort()
  t.same(own(rows), own(found).map((metric) => metric.map(bare)))
  // Which of those of prom-client there are depends on the system.
  const names = rows.map(([name]) => name)
  for (const [name] of found) t.ok(names.includes(name), name!)
  t.equal(new Set(names).size, names.length)
})

t.test('the table of alerts is that of the rules', async (t) => {
  t.same(
    tableUnder(textOf('docs/operating.md'), 'Alerts').map((row) => row.slice(0, 2).map(bare)),
    rules.map(({ alert, labels }) => [alert, labels.severity])
  )
})

t.test('the rules and the dashboard ask for metrics that there are', async (t) => {
  const names = new Set(rows.flatMap(([name, type]) => (type === 'histogram' ? partsOf(name!) : [name!])))
  const asked = [...rules.map(({ expr }) => expr), textOf('docs/monitoring/grafana-dashboard.json')].flatMap((text) =>
    [...text.matchAll(/\b(?:petstore|nodejs|process)_\w+/g)].map(([name]) => name)
  )
  t.ok(asked.length > 50)
  for (const name of new Set(asked)) t.ok(names.has(name), name)
})

function partsOf (name: string): string[] {
  return ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`)
}
