#!/usr/bin/env tsx
// Makes docs/monitoring/grafana-dashboard.json. --check makes nothing: it fails when the file is stale.
import { readFile, writeFile } from 'node:fs/promises'
import {
  DashboardBuilder,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  VariableRefresh
} from '@grafana/grafana-foundation-sdk/dashboard'
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries'
import { readOptions } from '../command/arguments.js'
import { ROWS, type GraphOf } from './panels.js'

const options = readOptions(
  `Usage: npm run dashboard [-- --check]

Makes docs/monitoring/grafana-dashboard.json, a dashboard of the metrics that Grafana imports.
  --check  change nothing, exit 1 when the file is stale`,
  { check: { type: 'boolean' } }
)

/** The Prometheus that is chosen at the top of the dashboard. */
// eslint-disable-next-line no-template-curly-in-string -- that is how Grafana writes a variable
const PROMETHEUS = { type: 'prometheus', uid: '${datasource}' }
/** The width of a graph: a third of the width of the dashboard. */
const WIDTH = 8
const HEIGHT = 8

const file = new URL('../../docs/monitoring/grafana-dashboard.json', import.meta.url)
const text = `${JSON.stringify(dashboard(), null, 2)}\n`
const isStale = (await readFile(file, 'utf8').catch(() => '')) !== text
if (options.check) {
  if (isStale) console.error('Stale: docs/monitoring/grafana-dashboard.json. Run: npm run dashboard')
  process.exitCode = isStale ? 1 : 0
} else {
  await writeFile(file, text)
  console.log(isStale ? 'Wrote docs/monitoring/grafana-dashboard.json' : 'docs/monitoring/grafana-dashboard.json was up to date')
}

function dashboard () {
  const builder = new DashboardBuilder('Petstore API')
    .uid('petstore')
    .tags(['petstore'])
    .editable()
    .refresh('30s')
    .time({ from: 'now-1h', to: 'now' })
    .timezone('browser')
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'))
    .withVariable(
      new QueryVariableBuilder('instance')
        .label('Server')
        .datasource(PROMETHEUS)
        .query('label_values(petstore_info{job="petstore"}, instance)')
        .refresh(VariableRefresh.OnTimeRangeChanged)
        .multi(true)
        .includeAll(true)
        .current({ text: 'All', value: '$__all' })
    )
  for (const [title, graphs] of Object.entries(ROWS)) {
    builder.withRow(new RowBuilder(title))
    for (const graph of graphs) builder.withPanel(panelOf(graph))
  }
  return builder.build()
}

function panelOf ({ title, unit, queries }: GraphOf): PanelBuilder {
  const panel = new PanelBuilder().title(title).unit(unit).datasource(PROMETHEUS).span(WIDTH).height(HEIGHT).min(0)
  for (const [index, [expression, legend]] of queries.entries()) {
    const query = new DataqueryBuilder().expr(expression).legendFormat(legend)
    panel.withTarget(query.refId(String.fromCharCode('A'.charCodeAt(0) + index)))
  }
  return panel
}
