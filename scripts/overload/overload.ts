import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { processorTimeOf } from '../bench/machine.js'
import { send, UNLIMITED, type Answer } from '../cluster/load.js'
import { nodeCommand, runForJson, startProgram } from '../cluster/program.js'
import { temporaryFolder, type Lifetime } from '../command/lifetime.js'
import type { FloodOptions, Flooded } from './flood.js'

/** What was seen of a server while more came than it can serve, and after that. */
export interface Overload {
  flooded: Flooded
  /** Processor time of the server for an answer, in microseconds. */
  cpu: number
  /** The answers of what asked for the health meanwhile, over a connection of its own for each path. */
  health: Record<'/healthz' | '/readyz', Answer[]>
  /** Resident memory of the server, in MB: before, at most, and some seconds after. */
  memory: { before: number; most: number; after: number }
  /** How long after the end it took until requests were answered as if nothing had been, in milliseconds. */
  recovery: number
}

const FLOOD = fileURLToPath(new URL('flood.ts', import.meta.url))
const PETS = 1_000
/** How often the health is asked for, in milliseconds. */
const PROBING = 50
/** How long a server has after the end until its memory is looked at, in milliseconds. */
const REST = 5_000

/** Floods the program, with a SQLite file, from so many connections for some seconds. */
export async function overload (
  lifetime: Lifetime,
  { connections, seconds }: { connections: number; seconds: number }
): Promise<Overload> {
  const folder = await temporaryFolder(lifetime)
  const environment = { DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}`, LOG_LEVEL: 'error' }
  await runForJson(['seed', '--pets', String(PETS)], environment)
  const { plan, perMinute, perDay } = UNLIMITED
  const limits = ['--plan', plan, '--per-minute', String(perMinute), '--per-day', String(perDay)]
  const { key } = (await runForJson(['keys', 'create', ...limits], environment)) as { key: string }
  const { root, child } = await startProgram(lifetime, environment)
  const memory = { before: memoryOf(child.pid!), most: 0, after: 0 }
  const used = processorTimeOf(child.pid!)
  const flood = startFlood(lifetime, { port: Number(new URL(root).port), key, connections, seconds, pets: PETS })
  const end = new AbortController()
  const [healthz, readyz] = await Promise.all([
    probe(`${root}/healthz`, end.signal),
    probe(`${root}/readyz`, end.signal),
    watch(child.pid!, memory, end.signal),
    flood.finally(() => end.abort())
  ])
  const cpu = (processorTimeOf(child.pid!) - used) / Object.values((await flood).statuses).reduce((a, b) => a + b, 0)
  const recovery = await untilWell(`${root}/v1/pets?limit=20`, key)
  await sleep(REST)
  memory.after = memoryOf(child.pid!)
  return { flooded: await flood, cpu, health: { '/healthz': healthz, '/readyz': readyz }, memory, recovery }
}

async function startFlood (lifetime: Lifetime, options: FloodOptions): Promise<Flooded> {
  const child = spawn(...nodeCommand(['--import', 'tsx', FLOOD, JSON.stringify(options)]), {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  lifetime.teardown(() => child.kill('SIGKILL'))
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  await once(child, 'close')
  return JSON.parse(text) as Flooded
}

/** How many answers in a row show that a server is well, and how long each may take, in milliseconds. */
const WELL = { answers: 10, ms: 50 }

/** Gives how long it takes until a server answers as if nothing had been, in milliseconds; ten seconds at most. */
async function untilWell (url: string, key: string): Promise<number> {
  const start = performance.now()
  let since = start
  for (let inARow = 0; inARow < WELL.answers && performance.now() - start < 10_000;) {
    const { status, ms } = await send(url, { key })
    if (status === 200 && ms <= WELL.ms) inARow++
    else {
      inARow = 0
      since = performance.now()
    }
  }
  return since - start
}

/** Asks for the health again and again until the signal. */
async function probe (url: string, signal: AbortSignal): Promise<Answer[]> {
  const answers: Answer[] = []
  while (!signal.aborted) {
    answers.push(await send(url))
    await sleep(PROBING)
  }
  return answers
}

async function watch (pid: number, memory: { most: number }, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    memory.most = Math.max(memory.most, memoryOf(pid))
    await sleep(200)
  }
}

/** Gives the resident memory of a process in MB. */
function memoryOf (pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}
