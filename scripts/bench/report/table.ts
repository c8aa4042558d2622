import type { Machine } from '../machine.js'
import type { Circumstances, Summaries, Summary } from './results.js'
import type { Quartiles } from './statistics.js'

const COLUMNS = ['', 'ratio', 'us/request', 'requests/s', 'p99 ms', 'server', 'load']

/** A table of the medians for each load, with the quartiles of the first two columns. */
export function tableOf (summaries: Summaries, titles: Record<string, string>): string {
  return Object.entries(summaries)
    .map(([load, byName]) => {
      const rows = Object.entries(byName ?? {}).map(([name, summary]) => [name, ...cellsOf(summary!)])
      return `${load}  ${titles[load]}\n${aligned([COLUMNS, ...rows])}`
    })
    .join('\n\n')
}

/** The windows that are void, a line each, with the first answer that was wrong. */
export function voidedIn (summaries: Summaries): string[] {
  return Object.entries(summaries).flatMap(([load, byName]) =>
    Object.entries(byName ?? {}).flatMap(([name, summary]) =>
      summary!.voided.map((reason) => `VOID ${load} ${name}: ${reason}`)
    )
  )
}

/** Where, when and with what it was measured, in one line. */
export function circumstancesOf ({ machine, date, versions }: Circumstances): string {
  const packages = Object.entries(versions).flatMap(([name, version]) => (version ? [`${name} ${version}`] : []))
  return [machineText(machine), date.slice(0, 10), ...packages].join(', ')
}

/** Rows of cells in columns: names to the left, figures to the right. */
export function aligned (rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (row: string[]) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  ')
  return rows.map((row) => `  ${line(row)}`.trimEnd()).join('\n')
}

function machineText ({ cpu, cores, memoryGiB, system, pinned }: Machine): string {
  const places = pinned ? `server on core ${pinned.server}, load on core ${pinned.load}` : 'processes not pinned'
  return `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, ${places}`
}

function cellsOf ({ ratio, cpu, rate, p99, serverBusy, loadBusy }: Summary): string[] {
  const median = (quartiles: Quartiles | undefined, digits: number) => quartiles?.median.toFixed(digits) ?? '-'
  const all = (quartiles: Quartiles | undefined, digits: number) =>
    quartiles
      ? `${median(quartiles, digits)} (${quartiles.q1.toFixed(digits)}-${quartiles.q3.toFixed(digits)})`
      : '-'
  const percent = (share: Quartiles | undefined) => (share ? `${Math.round(share.median * 100)} %` : '-')
  return [all(ratio, 2), all(cpu, 1), median(rate, 0), median(p99, 2), percent(serverBusy), percent(loadBusy)]
}
