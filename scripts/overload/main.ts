#!/usr/bin/env tsx
// Sends more than the program can serve, and prints what comes back, how soon the health is told, and the memory.
import { hangUp, percentile, tally } from '../cluster/load.js'
import { readCount, readOptions } from '../command/arguments.js'
import { showProgress } from '../command/progress.js'
import { Report } from '../command/report.js'
import { runToTheEnd } from '../command/run.js'
import { overload } from './overload.js'

const { seconds: text = '60' } = readOptions(
  `Usage: npm run overload [-- --seconds N]

Floods the program from 2,000 connections, each of which sends its next request as soon as it has an answer. Prints how
long what was served took, how soon the health was told, the memory of the server, and how it does after that. Ends with
'N passed, N failed'.

  --seconds N  how long, 60 unless told otherwise`,
  { seconds: { type: 'string' } }
)
const seconds = readCount('--seconds', text)
const connections = 2_000

await runToTheEnd(async (lifetime) => {
  lifetime.teardown(hangUp)
  const report = new Report()
  showProgress(`Floods the program for ${seconds} s …`)
  const { flooded, cpu, health, memory, recovery } = await overload(lifetime, { connections, seconds })
  const { statuses, failed, p50, p99, max } = flooded
  const rates = Object.entries(statuses).map(([status, count]) => `${Math.round(count / seconds)}/s x ${status}`)
  const cost = `${cpu.toFixed(0)} us of processor time each`
  report.add(`${connections} connections`, failed === 0, `${rates.join(', ')}, ${failed} cut off, ${cost}`)
  const served = [p50, p99, max].map((time) => Math.round(time))
  report.add('what was served', max <= 5_000, `p50 ${served[0]} ms, p99 ${served[1]} ms, at most ${served[2]} ms`)
  for (const [path, answers] of Object.entries(health)) {
    const [half, most] = [percentile(answers, 50), percentile(answers, 99)]
    const holds = most <= 100 && Object.keys(tally(answers)).join() === '200'
    report.add(path, holds, `${answers.length} x 200, p50 ${half} ms, p99 ${most} ms, at most ${percentile(answers, 100)} ms`)
  }
  const { before, most, after: rest } = memory
  const sizes = [before, most, rest].map((size) => Math.round(size))
  report.add('memory', most < 500, `${sizes[0]} MB before, at most ${sizes[1]} MB, ${sizes[2]} MB after`)
  report.add('after the end', recovery <= 1_000, `well within ${Math.round(recovery)} ms`)
  return report.end()
})
