// Runs the test files whose paths come on the standard input, one after the other in this one process, because a
// process for each would spend most of its time on loading the same modules. Prints TAP, with the counts behind each
// file.
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { endOfFile } from './report.js'

for await (const file of createInterface({ input: process.stdin })) {
  const before = { ...t.counts }
  const ends: (() => unknown)[] = []
  // What is to end with the tests of a file ends before the next file begins.
  t.teardown = (end) => {
    ends.unshift(end)
  }
  try {
    await import(pathToFileURL(resolve(file)).href)
    while (!t.idle) await sleep(5)
    for (const end of ends) await end()
  } catch (error) {
    t.fail(`${file} ended with an error: ${(error as Error).stack}`)
  }
  // Any line but a comment: the parser of TAP holds the last assertion back until it sees one.
  t.pragma({ strict: false })
  const { total, fail, skip } = t.counts
  t.comment(endOfFile({ assertions: total - before.total, failed: fail - before.fail, skipped: skip - before.skip }))
}
