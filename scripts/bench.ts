#!/usr/bin/env tsx
// Measures the processor time of a request beside other servers: prints a table, and writes it as JSON and as a chart.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chartOf } from './bench/report/chart.js'
import { readDataset } from './bench/load/dataset.js'
import { machineOf, pinLoad } from './bench/machine.js'
import { optionsOf } from './bench/options.js'
import { installPeers } from './bench/servers/peers.js'
import { recordProfile } from './bench/profile/record.js'
import { profileTableOf } from './bench/profile/table.js'
import { Progress } from './bench/progress.js'
import { missingIn, summarize, type Results } from './bench/report/results.js'
import { runRounds } from './bench/rounds.js'
import { startService, store } from './bench/servers/service.js'
import { circumstancesOf, tableOf, voidedIn } from './bench/report/table.js'
import { PEERS, startTargets, versionsOf } from './bench/servers/targets.js'

const { settings, targets: names, pets, profile, json, svg } = optionsOf()
const folder = await mkdtemp(join(tmpdir(), 'petstore-bench-'))
const progress = new Progress()
const ends: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })]
const lifetime = {
  teardown: (end: () => unknown) => {
    ends.push(end)
  }
}
const endAll = async (): Promise<void> => {
  progress.clear()
  for (let end = ends.pop(); end; end = ends.pop()) await end()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endAll().finally(() => process.exit(1))
  })
}

try {
  process.exitCode = await run()
} finally {
  await endAll()
}

async function run (): Promise<number> {
  if (names.some((name) => PEERS.some((peer) => peer === name))) {
    progress.tell('installing the peers')
    await installPeers()
  }
  progress.tell(`storing ${pets} pets`)
  const service = join(folder, 'service')
  await mkdir(service)
  const stored = await store(lifetime, service, pets)
  const cores = pinLoad()
  const ours = await startService(lifetime, cores, stored)
  progress.tell('reading what is stored')
  const dataset = await readDataset(ours.port, stored.key)
  progress.tell('starting the others')
  const others = await startTargets(lifetime, cores, names, { folder, dataset, key: stored.key })
  const windows = await runRounds({
    targets: [{ name: 'ours', pid: ours.pid, port: ours.port, answering: 'real' }, ...others],
    dataset,
    key: stored.key,
    settings,
    progress,
    afterWindow: ours.emptyLog
  })
  const results: Results = {
    date: new Date().toISOString(),
    machine: machineOf(cores),
    versions: versionsOf(names),
    settings: { ...settings, pets, log: 'to a file, level info' },
    ...summarize(windows)
  }
  console.log(`${circumstancesOf(results)}\n\n${tableOf(results)}`)
  for (const line of voidedIn(results)) console.log(line)
  if (profile) {
    await ours.stop()
    results.profile = await recordProfile(lifetime, cores, { stored, dataset, settings, progress })
    console.log(`\n${profileTableOf(results.profile)}`)
  }
  if (json !== undefined) await writeFile(json, `${JSON.stringify(results, null, 2)}\n`)
  if (svg !== undefined) await writeFile(svg, chartOf(results))
  const missing = missingIn(results)
  if (missing.length > 0) console.error(`Not measured, since no window is whole: ${missing.join(', ')}`)
  return missing.length > 0 ? 1 : 0
}
