#!/usr/bin/env tsx
// Backs up a database under writers, and prints how much longer they wait for their answers meanwhile.
import { isWhole, type Window } from '../bench/load/window.js'
import { quartilesOf } from '../bench/report/statistics.js'
import { readCount, readOptions } from '../command/arguments.js'
import { showProgress } from '../command/progress.js'
import { Report } from '../command/report.js'
import { runToTheEnd } from '../command/run.js'
import { measureBackups } from './backup.js'

const WRITERS = 64
const PETS = 200_000
/** How many times the p99 without a backup the writers may have with one. */
const MOST = 2

const given = readOptions(
  `Usage: npm run backup:cost [-- options]

Stores ${PETS} pets, and then lets ${WRITERS} connections store more while backups are made, and while none is made,
in turn. Prints the p99 of the writes in each window, and the medians of both. Ends with 'N passed, N failed'. Takes two
minutes.

  --rounds N   windows of each kind, 9 unless told otherwise
  --seconds N  seconds of each window, 5 unless told otherwise`,
  { rounds: { type: 'string', default: '9' }, seconds: { type: 'string', default: '5' } }
)
const rounds = readCount('--rounds', given.rounds!)
const seconds = readCount('--seconds', given.seconds!)

await runToTheEnd(async (lifetime) => {
  const report = new Report()
  const settings = { writers: WRITERS, pets: PETS, rounds, seconds }
  const { without, during, backups } = await measureBackups(lifetime, settings, showProgress)
  const faults = [...without, ...during].flatMap((window) => (isWhole(window) ? [] : [window.fault]))
  report.add('writes', faults.length === 0, `${countOf(without)} without a backup, ${countOf(during)} during ${backups}`, faults)
  const [alone, beside] = [without, during].map((windows) => medianOf(windows)) as [number, number]
  const factor = beside / alone
  const figures = `${alone.toFixed(1)} ms without a backup, ${beside.toFixed(1)} ms during one: ${factor.toFixed(2)} times`
  report.add('median of the p99', factor < MOST, figures, [
    `without: ${textOf(without)}`,
    `during:  ${textOf(during)}`
  ])
  return report.end()
})

function p99sOf (windows: Window[]): number[] {
  return windows.filter(isWhole).map(({ p99 }) => p99)
}

function medianOf (windows: Window[]): number {
  return quartilesOf(p99sOf(windows))?.median ?? NaN
}

function countOf (windows: Window[]): number {
  return windows.filter(isWhole).reduce((sum, { answers }) => sum + answers, 0)
}

function textOf (windows: Window[]): string {
  return p99sOf(windows).map((p99) => p99.toFixed(1)).join(', ')
}
