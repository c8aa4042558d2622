import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { stringify } from 'yaml'
import { temporaryFolder, type Lifetime } from '../../scripts/command/lifetime.js'
import { ROOT } from '../support/documents.js'
import { textAt } from './measured.js'

/** How many minutes what happened between the last two readings goes on after them. */
const GOES_ON = 40

/** What was read once: the samples by name and labels, and the names of the metrics that only rise. */
interface Reading {
  samples: Map<string, number>
  rising: Set<string>
}

/**
 * Real readings of the metrics, as if they had been a minute apart. After the last of them the counters go on to rise
 * as they rose before it, and all else stays.
 */
export class History {
  readonly #readings: Reading[] = []

  /** Reads the metrics at a URL, as Prometheus does, which notes also whether they could be read. */
  async read (url: string): Promise<void> {
    const text = await textAt(url).catch(() => '')
    const samples = new Map<string, number>([['up', Number(text !== '')]])
    const rising = new Set<string>()
    for (const line of text.split('\n')) {
      const [, name, type] = /^# TYPE (\S+) (\S+)/.exec(line) ?? []
      if (name !== undefined && type !== 'gauge') rising.add(name)
      if (line === '' || line.startsWith('#')) continue
      const end = line.lastIndexOf(' ')
      samples.set(line.slice(0, end), Number(line.slice(end + 1)))
    }
    this.#readings.push({ samples, rising })
  }

  /** Puts the values of one metric from another history in the place of those that were read last. */
  keepGauges (from: History, metric: string): void {
    const { samples } = from.#readings.at(-1)!
    for (const [name, value] of samples) if (name.startsWith(metric)) this.#readings.at(-1)!.samples.set(name, value)
  }

  /** The series in the notation of promtool's unit tests. */
  get series (): { series: string; values: string }[] {
    const names = new Set(this.#readings.flatMap(({ samples }) => [...samples.keys()]))
    return [...names].map((name) => ({ series: labelled(name), values: this.#valuesOf(name) }))
  }

  #valuesOf (name: string): string {
    const values = this.#readings.map(({ samples }) => samples.get(name))
    const [before = 0, last] = values.slice(-2)
    const metric = name.replace(/\{.*/, '')
    const isRising = [...this.#readings.at(-1)!.rising].some((rising) => metric.startsWith(rising))
    const written = values.slice(0, -1).map((value) => String(value ?? '_'))
    if (last === undefined) return [...written, `_x${GOES_ON}`].join(' ')
    return [...written, `${last}+${isRising ? Math.max(0, last - before) : 0}x${GOES_ON}`].join(' ')
  }
}

/** A sample as Prometheus keeps it, which adds the job and the instance. */
function labelled (name: string): string {
  const own = 'job="petstore",instance="server:9464"'
  return name.endsWith('}') ? `${name.slice(0, -1)},${own}}` : `${name}{${own}}`
}

/** Lets promtool check that just these alerts fire after so many minutes of a history; throws what it finds else. */
export async function checkAlerts (
  lifetime: Lifetime,
  history: History,
  alerts: string[],
  { after = 30 }: { after?: number } = {}
): Promise<void> {
  const folder = await temporaryFolder(lifetime)
  const file = join(folder, 'alerts.test.yaml')
  // On a busy machine the event loop is late whatever a test is about.
  const others = alerts.includes('PetstoreEventLoopDelayed') ? '' : 'PetstoreEventLoopDelayed'
  const expected = {
    expr: `count by (alertname) (ALERTS{alertstate="firing",alertname!="${others}"})`,
    eval_time: `${after}m`,
    exp_samples: alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 }))
  }
  const test = { interval: '1m', input_series: history.series, promql_expr_test: [expected] }
  const rules = join(ROOT, 'docs/monitoring/petstore.rules.yaml')
  await writeFile(file, stringify({ rule_files: [rules], evaluation_interval: '1m', tests: [test] }))
  await promisify(execFile)('promtool', ['test', 'rules', file])
}
