#!/usr/bin/env tsx
// Counts what the limits let through under load, over restarts and crashes, in real time against the compiled program.
import { join } from 'node:path'
import { hangUp } from './cluster/load.js'
import { readOptions } from './command/arguments.js'
import { temporaryFolder } from './command/lifetime.js'
import { showProgress } from './command/progress.js'
import { Report } from './command/report.js'
import { runToTheEnd } from './command/run.js'
import { restartWithinWindow, sendFromManyAddresses, stormOneWindow, stormThreeWindows } from './limits/cases.js'

readOptions(
  `Usage: npm run limits

Counts what the limits let through under load, over restarts and crashes. Prints a line of figures for each case and
'N passed, N failed'. Takes about five minutes.`,
  {}
)

await runToTheEnd(async (lifetime) => {
  const report = new Report()
  const folder = await temporaryFolder(lifetime)
  lifetime.teardown(hangUp)
  const environment = { DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}`, LOG_LEVEL: 'error' }
  const setup = { lifetime, environment, progress: showProgress }

  const { ok, refused } = await stormOneWindow(setup)
  report.add(
    '64 connections, 2,000 requests on Free in one window',
    ok === 60 && refused === 1_940,
    `${ok} x 200, ${refused} x 429`
  )

  const threeWindows = await stormThreeWindows(setup)
  report.add('over two boundaries', threeWindows === 180, `${threeWindows} x 200 in three windows`)

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const { admitted, limit, block, restarts } = await restartWithinWindow(setup, signal)
    // A crash may cost one block of requests; an orderly stop costs none.
    const least = signal === 'SIGTERM' ? limit : limit - restarts * block
    report.add(
      `${restarts} restarts by ${signal} within a window`,
      admitted <= limit && admitted >= least,
      `${admitted} of ${limit} let through (a block is ${block})`
    )
  }

  const { left, growth } = await sendFromManyAddresses(setup)
  report.add(
    '100,000 junk keys and addresses between two calls',
    left === 998 && growth <= 50,
    `the key has ${left} left of 1,000 after 2 calls, memory grew by ${growth.toFixed(1)} MB`
  )
  return report.end()
})
