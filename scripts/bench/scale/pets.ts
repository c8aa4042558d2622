import { join } from 'node:path'
import { showProgress } from '../../command/progress.js'
import { LIST, readDataset, type Dataset } from '../load/dataset.js'
import { pageRequests, requestsOf, WORKLOADS } from '../load/workloads.js'
import { summarize } from '../report/results.js'
import { runRounds, type Measured } from '../rounds.js'
import { startService, storeInFile, type Service } from '../servers/service.js'
import type { AxisContext, AxisResult } from './axis.js'

const LOADS = ['L', 'deep', 'LR', 'G', 'MZ', 'C'] as const
const SIZES = [1_000, 100_000, 1_000_000]
/** How many times as much a request of these loads may cost over the largest size as over the one before it. */
const MOST = { LR: 1.3, G: 1.3, MZ: 1.3 }
/** How many pages at the end of a list are deep in it. */
const DEEP_PAGES = 20

interface Size extends Measured {
  service: Service
  key: string
  dataset: Dataset
}

/** Measures services that differ in how many pets they have. */
export async function scalePets ({ lifetime, cores, folder, settings, quick }: AxisContext): Promise<AxisResult> {
  const sizes: Size[] = []
  for (const pets of quick ? [1_000, 5_000] : SIZES) {
    showProgress(`Stores ${pets} pets …`)
    const stored = await storeInFile(join(folder, String(pets)), pets)
    const service = await startService(lifetime, cores, stored)
    showProgress(`Reads ${pets} pets …`)
    const dataset = await readDataset(service.port, stored.key)
    sizes.push({ name: `${pets} pets`, servers: [service], service, key: stored.key, dataset })
  }
  const windows = await runRounds({
    loads: LOADS,
    targets: sizes,
    requestsOf: (load, { dataset, key }) =>
      load === 'deep'
        ? pageRequests(dataset.pages.slice(-DEEP_PAGES), key)
        : requestsOf(load, dataset, key, 'real'),
    settings,
    afterWindow: () => Promise.all(sizes.map(({ service }) => service.emptyLog()))
  })
  const summaries = summarize(windows, sizes[0]!.name)
  const [before, largest] = sizes.slice(-2).map(({ name }) => name) as [string, string]
  const costs = (Object.entries(MOST) as [keyof typeof MOST, number][]).map(([load, most]) => {
    const cpuOf = (name: string) => summaries[load]?.[name]?.cpu?.median ?? NaN
    return { name: `${load}, cost with ${largest} / with ${before}`, cost: cpuOf(largest) / cpuOf(before), most }
  })
  return {
    summaries,
    titles: { ...WORKLOADS, deep: `GET ${LIST}&cursor=…, the last pages` },
    figures: Object.fromEntries(costs.map(({ name, cost }) => [name, cost])),
    exceeded: quick ? [] : costs.filter(({ cost, most }) => cost > most).map(({ name, most }) => `${name}: over ${most}`)
  }
}
