import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runScript } from '../../scripts/cluster/program.js'

// On a machine that does much else.
t.setTimeout(600_000)

const WORKLOADS = ['L', 'MZ']
const SHORTEST = ['--quick', '--peers', 'none', '--pets', '300', '--rounds', '1', '--seconds', '0.2', '--profile']
const TARGETS = ['ours', 'bare', 'bareH', 'fastify', 'fastifyH']

t.test('npm run bench measures every server under every workload, and writes what it found', async (t) => {
  const folder = t.testdir()
  const [json, svg] = ['bench.json', 'bench.svg'].map((name) => join(folder, name)) as [string, string]
  const { code, stdout, stderr } = await runScript('bench', ...SHORTEST, '--only', WORKLOADS.join(), '--json', json, '--svg', svg)
  t.equal(code, 0, stderr)
  t.notMatch(stdout, /VOID/, 'every answer was right')

  const { ratios, workloads, profile, ...circumstances } = JSON.parse(readFileSync(json, 'utf8'))
  t.match(circumstances, {
    date: /^\d{4}-\d\d-\d\dT/,
    machine: { cpu: String, cores: Number, memoryGiB: Number, system: /^linux / },
    versions: { node: process.versions.node, fastify: /^\d/ },
    settings: { rounds: 1, seconds: 0.2, connections: 64, pets: 300, workloads: WORKLOADS }
  })
  t.match(ratios, { L: Number, LR: null, G: null, GZ: null, C: null, M: null, MZ: Number })
  const isPositive = (value: unknown) => Number.isFinite(value) && (value as number) > 0
  for (const workload of WORKLOADS) {
    t.ok(isPositive(ratios[workload]), `ratio of ${workload}`)
    t.same(Object.keys(workloads[workload]), TARGETS)
    for (const [name, summary] of Object.entries<any>(workloads[workload])) {
      t.match(summary, { windows: 1, voided: [] }, `${workload} ${name}`)
      for (const measure of ['ratio', 'cpu', 'rate', 'p50', 'p99']) {
        const { q1, median, q3 } = summary[measure]
        t.ok(isPositive(q1) && q1 <= median && median <= q3, `${measure} of ${workload} ${name}`)
      }
      t.match(stdout, new RegExp(`^ *${name} +\\d`, 'm'), `a row of the table for ${name}`)
    }
    t.equal(workloads[workload].bareH.ratio.median, 1, 'bareH is the limit')

    const { total, modules, functions } = profile[workload]
    const sum = Object.values<number>(modules).reduce((all, time) => all + time, 0)
    t.ok(Math.abs(sum - total) < 1e-6 * total, `the modules of ${workload} are the whole`)
    t.ok('fastify' in modules && 'node:http' in modules, 'packages and Node')
    t.ok(Object.keys(modules).some((name) => name.startsWith('src/')), 'rooms of src')
    t.ok(Object.keys(functions).length > 0)
  }
  const chart = readFileSync(svg, 'utf8')
  t.match(chart, /^<svg [^]*prefers-color-scheme: dark[^]*<\/svg>\n$/)
  t.equal(chart.match(/<rect [^>]*class="bar /g)?.length, WORKLOADS.length * TARGETS.length, 'a bar for each')
})

t.test('npm run bench -- --scale measures the service along an axis', async (t) => {
  const json = join(t.testdir(), 'scale.json')
  const shortest = ['--quick', '--pets', '300', '--rounds', '1', '--seconds', '0.2', '--json', json]
  const { code, stdout, stderr } = await runScript('bench', '--scale', 'pets,keys', ...shortest)
  t.equal(code, 0, stderr)
  t.notMatch(stdout, /VOID/, 'every answer was right')
  const { scale } = JSON.parse(readFileSync(json, 'utf8'))
  const namesOf = ({ summaries }: { summaries: Record<string, object> }) =>
    Object.entries(summaries).map(([load, byName]) => [load, Object.keys(byName)])
  const pets = ['1000 pets', '5000 pets']
  t.same(namesOf(scale.pets), ['L', 'deep', 'LR', 'G', 'MZ', 'C'].map((load) => [load, pets]))
  t.same(namesOf(scale.keys), [['G', ['10 keys', '500 keys']]])
  t.match(scale.keys.figures, { 'first use of a key, us/request': Number, 'memory of a used key, bytes': Number })
})
