import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder, type Lifetime } from '../command/lifetime.js'
import { clearProgress, showProgress } from '../command/progress.js'
import { readDataset } from './load/dataset.js'
import { requestsOf, WORKLOADS, type Workload } from './load/workloads.js'
import { machineOf, pinLoad } from './machine.js'
import type { Options } from './options.js'
import { recordProfile } from './profile/record.js'
import { profileTableOf } from './profile/table.js'
import { chartOf } from './report/chart.js'
import { missingIn, summarize, type Results, type Summaries } from './report/results.js'
import { circumstancesOf, tableOf, voidedIn } from './report/table.js'
import { runRounds } from './rounds.js'
import { installPeers } from './servers/peers.js'
import { startService, storeInFile } from './servers/service.js'
import { PEERS, startTargets, versionsOf, type Target, type TargetName } from './servers/targets.js'

/** The server whose processor time the ratios are to. */
const LIMIT = 'bareH'

/** Measures the service beside the other servers, prints what was found and writes it; gives the exit code. */
export async function compare (lifetime: Lifetime, options: Options): Promise<number> {
  const { settings, workloads, targets: names, pets, profile, json, svg } = options
  if (PEERS.some((peer) => names.includes(peer))) {
    showProgress('Installs the peers …')
    await installPeers()
  }
  const folder = await temporaryFolder(lifetime)
  showProgress(`Stores ${pets} pets …`)
  const stored = await storeInFile(join(folder, 'service'), pets)
  const withMetrics = join(folder, 'metrics')
  await cp(stored.folder, withMetrics, { recursive: true })
  const cores = pinLoad()
  const ours = await startService(lifetime, cores, stored)
  showProgress('Reads what is stored …')
  const dataset = await readDataset(ours.port, stored.key)
  showProgress('Starts the others …')
  const measured = names.includes('metrics')
    ? await startService(lifetime, cores, {
      ...stored,
      folder: withMetrics,
      environment: {
        ...stored.environment,
        DATABASE_URL: `sqlite:${join(withMetrics, 'petstore.db')}`,
        METRICS_PORT: '0'
      }
    })
    : undefined
  // As ours, it has everything in memory then.
  if (measured) await readDataset(measured.port, stored.key)
  const others = await startTargets(lifetime, cores, names, { folder, dataset, key: stored.key })
  const windows = await runRounds({
    loads: workloads,
    targets: [
      { name: 'ours', servers: [ours], answering: 'real' },
      ...(measured ? [{ name: 'metrics', servers: [measured], answering: 'real' } as const] : []),
      ...others
    ] satisfies Target[],
    requestsOf: (workload, { answering }) => requestsOf(workload, dataset, stored.key, answering),
    settings,
    afterWindow: () => Promise.all([ours.emptyLog(), measured?.emptyLog()])
  })
  const summaries = summarize(windows, LIMIT)
  const results: Results = {
    date: new Date().toISOString(),
    machine: machineOf(cores),
    versions: versionsOf(names),
    settings: { ...settings, workloads, pets, log: 'to a file, level info' },
    ratios: ratiosIn(summaries),
    workloads: summaries
  }
  clearProgress()
  console.log(`${circumstancesOf(results)}\n\n${tableOf(summaries, WORKLOADS)}`)
  for (const line of voidedIn(summaries)) console.log(line)
  if (profile) {
    await ours.stop()
    results.profile = await recordProfile(lifetime, cores, { stored, dataset, workloads, settings })
    clearProgress()
    console.log(`\n${profileTableOf(results.profile)}`)
  }
  if (json !== undefined) await writeFile(json, `${JSON.stringify(results, null, 2)}\n`)
  if (svg !== undefined) await writeFile(svg, chartOf(results))
  const missing = missingIn(summaries)
  if (missing.length > 0) console.error(`Not measured, since no window is whole: ${missing.join(', ')}`)
  return missing.length > 0 ? 1 : 0
}

function ratiosIn (summaries: Summaries<Workload, TargetName>): Results['ratios'] {
  const names = Object.keys(WORKLOADS) as Workload[]
  const ratios = names.map((name) => [name, summaries[name]?.ours?.ratio?.median ?? null])
  return Object.fromEntries(ratios) as Results['ratios']
}
