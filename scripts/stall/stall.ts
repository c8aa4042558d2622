import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { parseReply, sendRaw } from '../http/raw.js'

/** How long requests held up the process that answers them, in milliseconds; medians of the rounds. */
export interface Stall {
  status: number
  /** Processor time of the longest turn of the event loop: what others wait for on a machine of one's own. */
  turn: number
  /** Longest delay of the event loop, which other load on the machine adds to; and the worst of all rounds. */
  delay: number
  worst: number
  /** Processor time until the request was answered, its client's included; the least of the rounds. */
  cost: number
}

/** How often the delay of the event loop is looked at, in milliseconds. */
const RESOLUTION = 1

/** Measures how long a request holds up this process, in which the service runs: it is sent again and again. */
export async function stallOf (port: number, bytes: Uint8Array, rounds: number): Promise<Stall> {
  const turns: number[] = []
  const delays: number[] = []
  const costs: number[] = []
  let status = NaN
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION })
  histogram.enable()
  for (let round = 0; round < rounds; round++) {
    histogram.reset()
    const longestTurn = watchTurns()
    const before = processorTime()
    status = parseReply(await sendRaw(port, bytes)).status
    costs.push(processorTime() - before)
    turns.push(longestTurn())
    await setTimeout(3 * RESOLUTION)
    delays.push(Math.max(0, histogram.max / 1e6 - RESOLUTION))
  }
  histogram.disable()
  return { status, turn: median(turns), delay: median(delays), worst: Math.max(...delays), cost: Math.min(...costs) }
}

/** Measures every turn of the event loop until it is asked for the longest. */
function watchTurns (): () => number {
  let longest = 0
  let last = processorTime()
  const turn = () => {
    const now = processorTime()
    longest = Math.max(longest, now - last)
    last = now
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  return () => {
    clearImmediate(next)
    return longest
  }
}

function processorTime (): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

function median (values: number[]): number {
  return values.sort((one, other) => one - other)[Math.floor(values.length / 2)]!
}
