import { join } from 'node:path'
import { showProgress } from '../../command/progress.js'
import { LIST, readDataset, type Dataset } from '../load/dataset.js'
import { pageRequests, requestsOf, WORKLOADS } from '../load/workloads.js'
import { summarize } from '../report/results.js'
import { runRounds, type Measured } from '../rounds.js'
import { startService, storeInFile, type Service } from '../servers/service.js'
import type { AxisContext, AxisResult } from './axis.js'

const LOADS = ['L', 'deep', 'G', 'C'] as const
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
  for (const pets of quick ? [1_000, 5_000] : [1_000, 100_000, 1_000_000]) {
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
  return {
    summaries: summarize(windows, sizes[0]!.name),
    titles: { ...WORKLOADS, deep: `GET ${LIST}&cursor=…, the last pages` },
    figures: {}
  }
}
