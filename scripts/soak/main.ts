#!/usr/bin/env tsx
// Loads the program for minutes, and prints what it gathers: heap, descriptors, the log of its database, and delay.
import { hangUp, percentile } from '../cluster/load.js'
import { readCount, readOptions } from '../command/arguments.js'
import { showProgress } from '../command/progress.js'
import { Report } from '../command/report.js'
import { runToTheEnd } from '../command/run.js'
import { slopeOf, soak } from './soak.js'

const { minutes: text = '10' } = readOptions(
  `Usage: npm run soak [-- --minutes N]

Loads the program with all kinds of requests, of which three in ten are refused or broken off by their clients. Prints
how the heap grows after garbage collections, once the first third has passed, the descriptors, the size of the
database's log, how long answers took in the first and the last minute, and how many were faults. Ends with
'N passed, N failed'.

  --minutes N  how long, 10 unless told otherwise`,
  { minutes: { type: 'string' } }
)
const minutes = readCount('--minutes', text)

/** How fast the heap may grow, in kB a minute. */
const MOST_GROWTH = 50
/** How large SQLite's log may become, in kB: it is written back at 4 MB, once no reader stands in the way. */
const LARGEST_WAL = 16 * 1024

await runToTheEnd(async (lifetime) => {
  lifetime.teardown(hangUp)
  const report = new Report()
  const soaked = await soak(lifetime, minutes, showProgress)
  const { statuses, brokenOff, holdings } = soaked
  const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`)
  const faults = Object.entries(statuses).filter(([status]) => Number(status) >= 500)
  report.add('answers', faults.length === 0, `${counts.join(', ')}, ${brokenOff} broken off`)

  const steady = holdings.filter(({ minute }) => minute >= minutes / 3)
  const growth = slopeOf(steady.map(({ minute, heap }) => ({ x: minute, y: heap })))
  const heaps = [steady[0]!, steady.at(-1)!].map(({ heap }) => Math.round(heap))
  report.add('heap', growth <= MOST_GROWTH, `${growth.toFixed(1)} kB a minute, from ${heaps[0]} to ${heaps[1]} kB`)
  const memory = [holdings[0]!, holdings.at(-1)!].map((holding) => Math.round(holding.memory / 1024))
  report.add('resident memory', true, `${memory[0]} MB at first, ${memory[1]} MB in the end`)
  const descriptors = [holdings[0]!, holdings.at(-1)!].map((holding) => holding.descriptors)
  const most = Math.max(...holdings.map((holding) => holding.descriptors))
  report.add('descriptors', descriptors[1]! <= descriptors[0]! + 32, `${descriptors.join(' and ')}, at most ${most}`)
  const wal = Math.max(...holdings.map((holding) => holding.wal))
  report.add('log of the database', wal <= LARGEST_WAL, `at most ${Math.round(wal)} kB`)
  const [first, last] = [0, minutes - 1].map((minute) => percentile(soaked.minutes[minute] ?? [], 99))
  report.add('p99', last! <= 3 * first!, `${first} ms in the first minute, ${last} ms in the last`)
  return report.end()
})
