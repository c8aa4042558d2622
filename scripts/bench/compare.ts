import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder, type Lifetime } from '../command/lifetime.js'
import { clearProgress, showProgress } from '../command/progress.js'
import { readDataset } from './load/dataset.js'
import { machineOf, pinLoad } from './machine.js'
import type { Options } from './options.js'
import { recordProfile } from './profile/record.js'
import { profileTableOf } from './profile/table.js'
import { chartOf } from './report/chart.js'
import { missingIn, summarize, type Results } from './report/results.js'
import { circumstancesOf, tableOf, voidedIn } from './report/table.js'
import { runRounds } from './rounds.js'
import { installPeers } from './servers/peers.js'
import { startService, store } from './servers/service.js'
import { PEERS, startTargets, versionsOf } from './servers/targets.js'

/** Measures the service beside the other servers, prints what was found and writes it; gives the exit code. */
export async function compare (lifetime: Lifetime, options: Options): Promise<number> {
  const { settings, targets: names, pets, profile, json, svg } = options
  if (PEERS.some((peer) => names.includes(peer))) {
    showProgress('Installs the peers …')
    await installPeers()
  }
  const folder = await temporaryFolder(lifetime)
  const serviceFolder = join(folder, 'service')
  await mkdir(serviceFolder)
  showProgress(`Stores ${pets} pets …`)
  const stored = await store(serviceFolder, pets)
  const cores = pinLoad()
  const ours = await startService(lifetime, cores, stored)
  showProgress('Reads what is stored …')
  const dataset = await readDataset(ours.port, stored.key)
  showProgress('Starts the others …')
  const others = await startTargets(lifetime, cores, names, { folder, dataset, key: stored.key })
  const windows = await runRounds({
    targets: [{ name: 'ours', pid: ours.pid, port: ours.port, answering: 'real' }, ...others],
    dataset,
    key: stored.key,
    settings,
    afterWindow: ours.emptyLog
  })
  const results: Results = {
    date: new Date().toISOString(),
    machine: machineOf(cores),
    versions: versionsOf(names),
    settings: { ...settings, pets, log: 'to a file, level info' },
    ...summarize(windows)
  }
  clearProgress()
  console.log(`${circumstancesOf(results)}\n\n${tableOf(results)}`)
  for (const line of voidedIn(results)) console.log(line)
  if (profile) {
    await ours.stop()
    results.profile = await recordProfile(lifetime, cores, { stored, dataset, settings })
    clearProgress()
    console.log(`\n${profileTableOf(results.profile)}`)
  }
  if (json !== undefined) await writeFile(json, `${JSON.stringify(results, null, 2)}\n`)
  if (svg !== undefined) await writeFile(svg, chartOf(results))
  const missing = missingIn(results)
  if (missing.length > 0) console.error(`Not measured, since no window is whole: ${missing.join(', ')}`)
  return missing.length > 0 ? 1 : 0
}
