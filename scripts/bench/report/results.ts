import { isWhole, type Figures, type Window } from '../load/window.js'
import type { Machine } from '../machine.js'
import type { RoundsSettings, Windows } from '../rounds.js'
import type { Profile } from '../profile/modules.js'
import { quartilesOf, type Quartiles } from './statistics.js'
import type { TargetName } from '../servers/targets.js'
import { WORKLOADS, type Workload } from '../load/workloads.js'

type Measure = Exclude<keyof Figures, 'answers' | 'from' | 'to'>

/** What one server took under one workload, over all rounds. */
export interface Summary extends Record<Measure, Quartiles | undefined> {
  /** Processor time that bareH took for a request, divided by that of this server in the same round. */
  ratio: Quartiles | undefined
  /** How many windows there are figures of. */
  windows: number
  /** Why others are void. */
  voided: string[]
}

/** All that a run has found, as `--json` writes it. */
export interface Results {
  date: string
  machine: Machine
  versions: Record<string, string | undefined>
  settings: RoundsSettings & { pets: number; log: string }
  /** The medians of the ratios of this service; null where they are not known. */
  ratios: Record<Workload, number | null>
  workloads: Partial<Record<Workload, Partial<Record<TargetName, Summary>>>>
  /** Of the service, where it was asked for. */
  profile?: Profile
}

/** The server whose processor time is the limit. */
const LIMIT = 'bareH'

/** Summarizes the windows of each server under each workload. */
export function summarize (windows: Windows): Pick<Results, 'ratios' | 'workloads'> {
  const workloads: Results['workloads'] = {}
  const ratios: Results['ratios'] = { L: null, G: null, C: null, M: null }
  for (const workload of Object.keys(WORKLOADS) as Workload[]) {
    const byTarget = Object.entries(windows[workload]) as [TargetName, Window[]][]
    if (byTarget.length === 0) continue
    const limits = windows[workload][LIMIT] ?? []
    workloads[workload] = Object.fromEntries(byTarget.map(([name, list]) => [name, summaryOf(list, limits)]))
    ratios[workload] = workloads[workload].ours?.ratio?.median ?? null
  }
  return { ratios, workloads }
}

/** What could not be measured, because no window of it is whole. */
export function missingIn ({ workloads }: Pick<Results, 'workloads'>): string[] {
  return Object.entries(workloads).flatMap(([workload, summaries]) =>
    Object.entries(summaries).flatMap(([name, { windows }]) => (windows === 0 ? [`${workload} ${name}`] : []))
  )
}

function summaryOf (windows: Window[], limits: Window[]): Summary {
  const whole = windows.filter(isWhole)
  const quartiles = (name: Measure) => quartilesOf(whole.map((figures) => figures[name]))
  const ratios = windows.flatMap((window, round) => {
    const limit = limits[round]
    return limit && isWhole(limit) && isWhole(window) ? [limit.cpu / window.cpu] : []
  })
  return {
    ratio: quartilesOf(ratios),
    cpu: quartiles('cpu'),
    rate: quartiles('rate'),
    p50: quartiles('p50'),
    p99: quartiles('p99'),
    serverBusy: quartiles('serverBusy'),
    loadBusy: quartiles('loadBusy'),
    windows: whole.length,
    voided: windows.flatMap((window) => (isWhole(window) ? [] : [window.fault]))
  }
}
