#!/usr/bin/env tsx
// Sends the requests that are the most work, each as large as the limits let pass, and prints how long each holds up
// all others: the longest turn of the event loop until it is answered. Ends with 'N passed, N failed'.
import { payloads } from './stall/payloads.js'
import { startService } from '../test/support/service.js'
import { stallOf } from './stall/stall.js'
import { readOptions } from './arguments.js'

readOptions(
  'Usage: npm run stall\n\nPrints how long the worst requests hold up the event loop: no turn of it may take more than 25 ms. Takes a minute.\n\n  turn   processor time of the longest turn, in ms, the median of 15 rounds: the figure that may be 25\n  delay  longest delay of the loop, in ms, median; other load on the machine adds to it\n  worst  the same, in the worst of the rounds',
  {}
)

/** Longest turn of the event loop that one request may cause, in milliseconds. */
const MOST = 25
const ROUNDS = 15
const SIZE = 16 * 1024

const ends: (() => unknown)[] = []
const { port, key, clock } = await startService(
  {
    teardown: (end: () => unknown) => {
      ends.push(end)
    }
  } as Parameters<typeof startService>[0],
  { trustProxy: ['127.0.0.1'] }
)
let failed = 0
try {
  const rows = payloads(key, SIZE)
  // What the compiler and the caches take at first is no request's doing.
  for (const [, bytes] of rows) await stallOf(port, bytes, 5)
  const line = (figures: (number | string)[], title: string) =>
    console.log(`${figures.map((figure) => String(figure).padStart(7)).join('')}  ${title}`)
  line(['bytes', 'answer', 'turn', 'delay', 'worst'], 'ms')
  for (const [title, bytes] of rows) {
    clock.advance(60_000)
    const { status, turn, delay, worst } = await stallOf(port, bytes, ROUNDS)
    if (turn > MOST) failed++
    line(
      [bytes.length, status, ...[turn, delay, worst].map((ms) => ms.toFixed(1))],
      `${turn > MOST ? 'FAIL ' : ''}${title}`
    )
  }
  console.log(`${rows.length - failed} passed, ${failed} failed`)
} finally {
  for (const end of ends) await end()
}
process.exitCode = failed > 0 ? 1 : 0
