import { join } from 'node:path'
import { showProgress } from '../../command/progress.js'
import { readDataset } from '../load/dataset.js'
import { isWhole, measure } from '../load/window.js'
import { requestsOf } from '../load/workloads.js'
import { residentMemoryOf } from '../machine.js'
import { startService, storeInFile } from '../servers/service.js'
import type { AxisContext, AxisResult } from './axis.js'

/** How the load lasts: windows of some seconds, after which the log is emptied, that make up a minute. */
const FULL = { minutes: 5, windows: 6, seconds: 10 }
const QUICK = { minutes: 2, windows: 1, seconds: 0.5 }

/** Tells how much memory the service takes, idle and under load. */
export async function scaleMemory (context: AxisContext): Promise<AxisResult> {
  const { lifetime, cores, folder, settings, quick } = context
  const figures: AxisResult['figures'] = {}
  const { minutes, windows, seconds } = quick ? QUICK : FULL
  const sizes = quick ? [1_000, 5_000] : [100_000, 1_000_000]
  for (const pets of sizes) {
    showProgress(`Stores ${pets} pets …`)
    const stored = await storeInFile(join(folder, String(pets)), pets)
    const service = await startService(lifetime, cores, stored)
    figures[`idle, ${pets} pets, MiB`] = residentMemoryOf(service.pid)
    if (pets === sizes.at(-1)) {
      const dataset = await readDataset(service.port, stored.key)
      const next = requestsOf('M', dataset, stored.key, 'real')
      for (let minute = 1; minute <= minutes; minute++) {
        showProgress(`Loads it with M: minute ${minute} of ${minutes} …`)
        for (let count = 0; count < windows; count++) {
          const window = await measure([service], next, { ...settings, seconds })
          if (!isWhole(window)) throw new Error(`M over ${pets} pets: ${window.fault}`)
          await service.emptyLog()
        }
        figures[`after ${minute} min of M, ${pets} pets, MiB`] = residentMemoryOf(service.pid)
      }
    }
    await service.stop()
  }
  return { summaries: {}, titles: {}, figures }
}
