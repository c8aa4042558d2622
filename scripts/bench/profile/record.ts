import { readFile } from 'node:fs/promises'
import type { Profiler } from 'node:inspector'
import { join } from 'node:path'
import type { Lifetime } from '../../command/lifetime.js'
import { showProgress } from '../../command/progress.js'
import type { Dataset } from '../load/dataset.js'
import type { Cores } from '../machine.js'
import type { RoundsSettings } from '../rounds.js'
import { startService, type Stored } from '../servers/service.js'
import { isWhole, measure, type Figures } from '../load/window.js'
import { requestsOf, type Workload } from '../load/workloads.js'
import { sharesIn, type Profile } from './modules.js'

export interface ProfileOptions {
  stored: Stored
  dataset: Dataset
  workloads: readonly Workload[]
  settings: RoundsSettings
}

/** What Node loads before the service. */
const PRELOAD = new URL('preload.js', import.meta.url).href

/**
 * Starts the service once more under the profiler of V8, and finds where the time of a request goes under each
 * workload. The profiler itself takes time, so that the sums are more than a request takes without it.
 * @throws {Error} when an answer is wrong
 */
export async function recordProfile (lifetime: Lifetime, cores: Cores, options: ProfileOptions): Promise<Profile> {
  const { stored, dataset, workloads, settings } = options
  const file = join(stored.folder, 'profile.json')
  const service = await startService(lifetime, cores, stored, {
    nodeArgs: ['--import', PRELOAD],
    further: { BENCH_PROFILE: file }
  })
  const load = async (workload: Workload, seconds: number): Promise<Figures> => {
    showProgress(`Takes a profile: ${workload} …`)
    const next = requestsOf(workload, dataset, stored.key, 'real')
    const window = await measure([service], next, { ...settings, seconds })
    await service.emptyLog()
    if (!isWhole(window)) throw new Error(`Profile of ${workload}: ${window.fault}`)
    return window
  }

  for (const workload of workloads) await load(workload, settings.warmUp)
  process.kill(service.pid, 'SIGUSR2')
  const windows: [Workload, Figures][] = []
  for (const workload of workloads) windows.push([workload, await load(workload, settings.seconds)])
  await service.stop()
  const profile = JSON.parse(await readFile(file, 'utf8')) as Profiler.Profile
  return Object.fromEntries(
    windows.map(([workload, { from, to, answers }]) => [workload, sharesIn(profile, from, to, answers)])
  )
}
