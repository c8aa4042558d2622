import { showProgress } from '../command/progress.js'
import type { Dataset } from './load/dataset.js'
import type { Target, TargetName } from './servers/targets.js'
import { measure, type Window, type WindowSettings } from './load/window.js'
import { requestsOf, type Workload } from './load/workloads.js'

/** The window of a target under a workload in each round. */
export type Windows = Record<Workload, Partial<Record<TargetName, Window[]>>>

export interface RoundsSettings extends WindowSettings {
  rounds: number
  workloads: readonly Workload[]
  /** Seconds of load on each target before the first round, so that its code is compiled. */
  warmUp: number
}

export interface RoundsOptions {
  targets: readonly Target[]
  dataset: Dataset
  key: string
  settings: RoundsSettings
  /** Called after each window. */
  afterWindow(): Promise<void>
}

/**
 * Measures every target under every workload once in each round. Within a workload the targets follow each other, so
 * that what happens on the machine meets all of them, and each round begins with another one.
 */
export async function runRounds (options: RoundsOptions): Promise<Windows> {
  const { targets, dataset, key, settings, afterWindow } = options
  const { rounds, workloads, warmUp } = settings
  const windows: Windows = { L: {}, G: {}, C: {}, M: {} }
  const total = rounds * workloads.length * targets.length
  let done = 0
  const run = async (target: Target, workload: Workload, timing: WindowSettings): Promise<Window> => {
    const window = await measure(target, requestsOf(workload, dataset, key, target.answering), timing)
    await afterWindow()
    return window
  }

  for (const workload of workloads) {
    for (const target of targets) {
      showProgress(`Warms up: ${workload} ${target.name} …`)
      await run(target, workload, { ...settings, ramp: 0, seconds: warmUp })
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (const workload of workloads) {
      for (const target of rotated(targets, round)) {
        const percent = Math.round((100 * done++) / total)
        showProgress(`${percent} %, round ${round + 1} of ${rounds}: ${workload} ${target.name} …`)
        const list = (windows[workload][target.name] ??= [])
        list.push(await run(target, workload, settings))
      }
    }
  }
  return windows
}

function rotated<Item> (items: readonly Item[], by: number): Item[] {
  const first = by % items.length
  return [...items.slice(first), ...items.slice(0, first)]
}
