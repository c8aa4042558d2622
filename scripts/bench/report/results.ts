import { isWhole, type Figures, type Window } from '../load/window.js'
import type { Workload } from '../load/workloads.js'
import type { Machine } from '../machine.js'
import type { Profile } from '../profile/modules.js'
import type { RoundsSettings, Windows } from '../rounds.js'
import type { TargetName } from '../servers/targets.js'
import { quartilesOf, type Quartiles } from './statistics.js'

type Measure = Exclude<keyof Figures, 'answers' | 'from' | 'to'>

/** What a target took under one load, over all rounds. */
export interface Summary extends Record<Measure, Quartiles | undefined> {
  /** Processor time that the base took for a request, divided by that of this target in the same round. */
  ratio: Quartiles | undefined
  /** How many windows there are figures of. */
  windows: number
  /** Why others are void. */
  voided: string[]
}

/** The summary of each target under each load. */
export type Summaries<Load extends string = string, Name extends string = string> = Partial<
  Record<Load, Partial<Record<Name, Summary>>>
>

/** Where, when and with what something was measured. */
export interface Circumstances {
  date: string
  machine: Machine
  versions: Record<string, string | undefined>
}

/** All that a comparison has found, as `--json` writes it. */
export interface Results extends Circumstances {
  settings: RoundsSettings & { workloads: readonly Workload[]; pets: number; log: string }
  /** The medians of the ratios of this service to bareH; null where they are not known. */
  ratios: Record<Workload, number | null>
  workloads: Summaries<Workload, TargetName>
  /** Of the service, where it was asked for. */
  profile?: Profile
}

/** Summarizes the windows of each target under each load; the ratios are those to the target that is the base. */
export function summarize<Load extends string, Name extends string> (
  windows: Windows<Load, Name>,
  base: NoInfer<Name>
): Summaries<Load, Name> {
  const loads = Object.entries(windows) as [Load, Partial<Record<Name, Window[]>>][]
  const summaries = loads.map(([load, byName]) => {
    const list = Object.entries(byName) as [Name, Window[]][]
    return [load, Object.fromEntries(list.map(([name, own]) => [name, summaryOf(own, byName[base] ?? [])]))]
  })
  return Object.fromEntries(summaries) as Summaries<Load, Name>
}

/** What could not be measured, because no window of it is whole. */
export function missingIn (summaries: Summaries): string[] {
  return Object.entries(summaries).flatMap(([load, byName]) =>
    Object.entries(byName ?? {}).flatMap(([name, summary]) => (summary?.windows === 0 ? [`${load} ${name}`] : []))
  )
}

function summaryOf (windows: Window[], bases: Window[]): Summary {
  const whole = windows.filter(isWhole)
  const quartiles = (name: Measure) => quartilesOf(whole.map((figures) => figures[name]))
  const ratios = windows.flatMap((window, round) => {
    const base = bases[round]
    return base && isWhole(base) && isWhole(window) ? [base.cpu / window.cpu] : []
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
