import { createHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { exchange, type Exchange } from './connection.js'
import { processorTimeOf } from '../machine.js'

/** What was seen while servers answered one kind of load. */
export interface Figures {
  /** Processor time of the servers for a request, in microseconds. */
  cpu: number
  /** Requests a second. */
  rate: number
  /** The times that half and 99 of 100 answers did not exceed, in milliseconds. */
  p50: number
  p99: number
  /** How much of a core each side took, from 0 to 1. */
  serverBusy: number
  loadBusy: number
  answers: number
  /** When it was measured: microseconds of the clock of the machine that all processes share. */
  from: number
  to: number
}

/** Figures, or why there are none: one wrong answer makes a window void. */
export type Window = Figures | { fault: string }

export interface WindowSettings {
  connections: number
  /** Seconds of load before anything is measured. */
  ramp: number
  /** Seconds that are measured. */
  seconds: number
}

/** A server, as what loads it needs to know it. */
export interface ServerAddress {
  pid: number
  port: number
}

/** How long a server may take for an answer, in milliseconds. */
const PATIENCE = 10_000

/** Whether a window has figures. */
export function isWhole (window: Window): window is Figures {
  return !('fault' in window)
}

/**
 * Loads one server or more over several connections, and measures them together for some seconds after a ramp. The
 * connections are shared out among the servers in turn. Where fewer answers than connections have come by then, it
 * goes on until there are as many.
 */
export async function measure (
  servers: readonly ServerAddress[],
  next: () => Exchange,
  { connections, ramp, seconds }: WindowSettings
): Promise<Window> {
  const ended = new AbortController()
  const latencies = createHistogram()
  let fault: string | undefined
  let answers = 0
  const events = {
    next: () => (ended.signal.aborted ? undefined : next()),
    answered: (milliseconds: number) => {
      answers++
      latencies.record(Math.max(1, Math.round(milliseconds * 1000)))
    },
    failed: (reason: string) => {
      fault ??= reason
      ended.abort()
    }
  }
  const timeOfAll = () => servers.reduce((sum, { pid }) => sum + processorTimeOf(pid), 0)
  const load = Array.from({ length: connections }, (_, index) =>
    exchange(servers[index % servers.length]!.port, events)
  )
  const wait = (time: number) => sleep(time * 1000, undefined, { signal: ended.signal }).catch(() => {})

  await wait(ramp)
  answers = 0
  latencies.reset()
  const before = { server: timeOfAll(), load: process.cpuUsage() }
  const from = monotonicTime()
  await wait(seconds)
  const patience = performance.now() + PATIENCE
  const isTooShort = () => answers < connections && !ended.signal.aborted && performance.now() < patience
  while (isTooShort()) await wait(0.05)
  const to = monotonicTime()
  const time = (to - from) / 1e6
  const server = (timeOfAll() - before.server) / 1e6
  const { user, system } = process.cpuUsage(before.load)
  const figures: Figures = {
    cpu: (server * 1e6) / answers,
    rate: answers / time,
    p50: latencies.percentile(50) / 1000,
    p99: latencies.percentile(99) / 1000,
    serverBusy: server / time,
    loadBusy: (user + system) / 1e6 / time,
    answers,
    from,
    to
  }

  ended.abort()
  const late = setTimeout(() => {
    fault ??= `no answer within ${PATIENCE / 1000} s`
    for (const connection of load) connection.cut()
  }, PATIENCE)
  await Promise.all(load.map((connection) => connection.ended))
  clearTimeout(late)
  if (figures.answers === 0) fault ??= 'no answer came'
  return fault === undefined ? figures : { fault }
}

function monotonicTime (): number {
  return Number(process.hrtime.bigint() / 1000n)
}
