import { aligned } from '../report/table.js'
import type { Workload } from '../load/workloads.js'
import type { Profile } from './modules.js'

/** What takes less than this under every workload is summed up, in microseconds. */
const LEAST = 0.5
const OTHERS = 'all others'

/** A table of the microseconds of a request in each module, the largest first. */
export function profileTableOf (profile: Profile): string {
  const workloads = Object.keys(profile) as Workload[]
  const names = new Set(workloads.flatMap((workload) => Object.keys(profile[workload]!.modules)))
  const rows = [...names].map((name): [string, number[]] => [name, workloads.map((workload) => timeOf(workload, name))])
  const isLarge = ([, times]: [string, number[]]) => times.some((time) => time >= LEAST)
  const large = rows.filter(isLarge).sort(([, one], [, other]) => sum(other) - sum(one))
  const small = rows.filter((row) => !isLarge(row))
  const others = workloads.map((_, column) => sum(small.map(([, times]) => times[column]!)))
  const totals = workloads.map((workload) => profile[workload]!.total)
  return aligned([
    ['us of a request', ...workloads],
    ...[...large, [OTHERS, others] as const, ['total', totals] as const].map(([name, times]) => [
      name,
      ...times.map((time) => time.toFixed(1))
    ])
  ])

  function timeOf (workload: Workload, name: string): number {
    return profile[workload]!.modules[name] ?? 0
  }
}

function sum (values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
