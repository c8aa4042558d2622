import { join } from 'node:path'
import { createKey } from '../../../src/cli/keys.js'
import { openStorage } from '../../../src/storage/open.js'
import { UNLIMITED } from '../../cluster/load.js'
import { showProgress } from '../../command/progress.js'
import { readDataset, type Dataset } from '../load/dataset.js'
import { isWhole, measure } from '../load/window.js'
import { oneOf, petRequest, requestsOf, WORKLOADS } from '../load/workloads.js'
import { residentMemoryOf } from '../machine.js'
import { summarize } from '../report/results.js'
import { runRounds, type Measured } from '../rounds.js'
import { startService, storeInFile, type Service, type Stored } from '../servers/service.js'
import type { AxisContext, AxisResult } from './axis.js'

interface KeyCount extends Measured {
  service: Service
  stored: Stored
  keys: string[]
  dataset: Dataset
}

/** Keys that are written to the file at a time. */
const BATCH = 1_000

/** Measures services that differ in how many keys they are called with. */
export async function scaleKeys (context: AxisContext): Promise<AxisResult> {
  const { lifetime, cores, folder, settings, pets, quick } = context
  const counts: KeyCount[] = []
  for (const count of quick ? [10, 500] : [10, 100_000]) {
    showProgress(`Stores ${pets} pets and ${count} keys …`)
    const stored = await storeInFile(join(folder, String(count)), pets)
    const keys = await makeKeys(stored, count)
    const service = await startService(lifetime, cores, stored)
    const dataset = await readDataset(service.port, stored.key)
    counts.push({ name: `${count} keys`, servers: [service], service, stored, keys, dataset })
  }
  const figures = await useAll(counts.at(-1)!, context)
  const windows = await runRounds({
    loads: ['G'],
    targets: counts,
    requestsOf: (_load, { dataset, keys }) => () => petRequest(oneOf(dataset.pets), oneOf(keys)),
    settings,
    afterWindow: () => Promise.all(counts.map(({ service }) => service.emptyLog()))
  })
  return {
    summaries: summarize(windows, counts[0]!.name),
    titles: { G: `${WORKLOADS.G}, by any of the keys` },
    figures
  }
}

async function makeKeys ({ environment }: Stored, count: number): Promise<string[]> {
  const storage = await openStorage(environment.DATABASE_URL!, { owner: false })
  try {
    const keys: string[] = []
    while (keys.length < count) {
      const made = Array.from({ length: Math.min(BATCH, count - keys.length) }, () =>
        createKey(storage.repositories.apiKeys, { ...UNLIMITED, name: 'bench' })
      )
      keys.push(...(await Promise.all(made)).map(({ secret }) => secret))
    }
    return keys
  } finally {
    await storage.close()
  }
}

/** Calls with every key in turn, after load with another one, and tells what the first use of a key takes. */
async function useAll (target: KeyCount, { settings }: AxisContext): Promise<AxisResult['figures']> {
  const { service, stored, keys, dataset } = target
  const warm = requestsOf('G', dataset, stored.key, 'real')
  await measure([service], warm, { ...settings, ramp: settings.warmUp })
  const before = residentMemoryOf(service.pid)
  const times: number[] = []
  let used = 0
  while (used < keys.length) {
    showProgress(`Uses each key once: ${used} of ${keys.length} …`)
    const next = () => petRequest(oneOf(dataset.pets), keys[used++ % keys.length]!)
    const window = await measure([service], next, { ...settings, ramp: 0 })
    if (!isWhole(window)) throw new Error(`The first use of keys: ${window.fault}`)
    times.push(window.cpu)
    await service.emptyLog()
  }
  const bytes = (residentMemoryOf(service.pid) - before) * 2 ** 20
  return {
    'first use of a key, us/request': times.reduce((sum, time) => sum + time, 0) / times.length,
    'memory of a used key, bytes': bytes / Math.min(used, keys.length)
  }
}
