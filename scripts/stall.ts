#!/usr/bin/env tsx
// Sends the requests that are the most work, each as large as the limits let pass, and prints how long each holds up
// all others: the longest turn of the event loop until it is answered.
import { join } from 'node:path'
import { createKey } from '../src/cli/keys.js'
import { openStorage } from '../src/storage/open.js'
import { UNLIMITED } from './cluster/load.js'
import { readOptions } from './command/arguments.js'
import { temporaryFolder, type Lifetime } from './command/lifetime.js'
import { clearProgress, showProgress } from './command/progress.js'
import { runToTheEnd } from './command/run.js'
import { readContract, serveInProcess } from './service/in-process.js'
import { payloads } from './stall/payloads.js'
import { stallOf } from './stall/stall.js'

readOptions(
  `Usage: npm run stall

Prints how long the worst requests hold up the event loop: no turn of it may take more than 25 ms. Ends with
'N passed, N failed'. Takes a minute.

  turn   processor time of the longest turn, in ms, the median of 15 rounds: the figure that may be 25
  delay  longest delay of the loop, in ms, the median; other load on the machine adds to it
  worst  the same, in the worst of the rounds`,
  {}
)

/** Longest turn of the event loop that one request may cause, in milliseconds. */
const MOST = 25
const ROUNDS = 15
const SIZE = 16 * 1024

await runToTheEnd(async (lifetime) => {
  const { port, key, nextMinute } = await start(lifetime)
  const rows = payloads(key, SIZE)
  // What the compiler and the caches take at first is no request's doing.
  for (const [title, bytes] of rows) {
    showProgress(`Warms up: ${title} …`)
    await stallOf(port, bytes, 5)
  }
  printRow(['bytes', 'answer', 'turn', 'delay', 'worst'], 'ms')
  let failed = 0
  for (const [title, bytes] of rows) {
    showProgress(`${title} …`)
    nextMinute()
    const { status, turn, delay, worst } = await stallOf(port, bytes, ROUNDS)
    const fails = turn > MOST
    if (fails) failed++
    printRow(
      [bytes.length, status, ...[turn, delay, worst].map((ms) => ms.toFixed(1))],
      fails ? `FAIL ${title}` : title
    )
  }
  console.log(`${rows.length - failed} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
})

/** Starts the service in this process, with a clock that may be put forward and a key without limits to speak of. */
async function start (lifetime: Lifetime): Promise<{ port: number; key: string; nextMinute: () => void }> {
  const folder = await temporaryFolder(lifetime)
  const storage = await openStorage(`sqlite:${join(folder, 'petstore.db')}`, { owner: true })
  lifetime.teardown(() => storage.close())
  let ahead = 0
  const clock = { now: () => Date.now() + ahead }
  const nextMinute = () => {
    ahead += 60_000
  }
  const settings = { trustProxy: ['127.0.0.1'] }
  const { port } = await serveInProcess(lifetime, { ...(await readContract()), storage, clock, settings })
  const { secret } = await createKey(storage.repositories.apiKeys, { ...UNLIMITED, name: 'stall' })
  return { port, key: secret, nextMinute }
}

function printRow (figures: (number | string)[], title: string): void {
  clearProgress()
  console.log(`${figures.map((figure) => String(figure).padStart(7)).join('')}  ${title}`)
}
