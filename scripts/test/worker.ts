// Runs the test files whose paths come on the standard input, one after the other in this one process, because a
// process for each would spend most of its time on loading the same modules. Prints TAP, with the counts behind each
// file.
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import t from 'tap'
import { endOfFile } from './report.js'

for await (const file of createInterface({ input: process.stdin })) {
  const before = { ...t.counts }
  const ends: (() => unknown)[] = []
  // What is to end with the tests of a file ends before the next file begins.
  t.teardown = (end) => {
    ends.unshift(end)
  }
  await attempt(file, () => import(pathToFileURL(resolve(file)).href))
  await settled()
  while (ends.length > 0) await attempt(file, ends.shift()!)
  await settled()
  // Any line but a comment: the parser of TAP holds the last assertion back until it sees one.
  t.pragma({ strict: false })
  const { total, fail, skip } = t.counts
  t.comment(endOfFile({ assertions: total - before.total, failed: fail - before.fail, skipped: skip - before.skip }))
}

/** Makes an error a failure of the file; tap tells it behind the tests that still run. */
async function attempt (file: string, work: () => unknown): Promise<void> {
  try {
    await work()
  } catch (error) {
    t.fail(`${file} ended with an error: ${inspect(error)}`)
  }
}

/** Waits until tap has told all it knows; it learns of a rejection that nobody handles at the end of a turn. */
async function settled (): Promise<void> {
  do await sleep(5)
  while (!t.idle)
}
