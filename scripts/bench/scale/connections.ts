import { join } from 'node:path'
import { showProgress } from '../../command/progress.js'
import { readDataset } from '../load/dataset.js'
import { requestsOf, WORKLOADS } from '../load/workloads.js'
import { summarize } from '../report/results.js'
import { runRounds } from '../rounds.js'
import { startService, storeInFile } from '../servers/service.js'
import type { AxisContext, AxisResult } from './axis.js'

/** Measures one service over different numbers of connections. */
export async function scaleConnections (context: AxisContext): Promise<AxisResult> {
  const { lifetime, cores, folder, settings, pets } = context
  showProgress(`Stores ${pets} pets …`)
  const stored = await storeInFile(join(folder, 'service'), pets)
  const service = await startService(lifetime, cores, stored)
  const dataset = await readDataset(service.port, stored.key)
  const targets = [1, 64, 512].map((connections) => ({
    name: `${connections} ${connections === 1 ? 'connection' : 'connections'}`,
    servers: [service],
    connections
  }))
  const windows = await runRounds({
    loads: ['L', 'G', 'C', 'M'],
    targets,
    requestsOf: (load) => requestsOf(load, dataset, stored.key, 'real'),
    settings,
    afterWindow: service.emptyLog
  })
  return { summaries: summarize(windows, targets[0]!.name), titles: WORKLOADS, figures: {} }
}
