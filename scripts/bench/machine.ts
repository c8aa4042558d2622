import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, release, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Which core the servers run on, and which the load; undefined where processes cannot be pinned. */
export type Cores = { server: number; load: number } | undefined

/** What figures depend on, besides the code. */
export interface Machine {
  cpu: string
  cores: number
  memoryGiB: number
  system: string
  pinned: Cores | null
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Pins this process, which makes the load, to the last core that it may use; the servers get the first. */
export function pinLoad (): Cores {
  const cores = allowedCores()
  if (cores.length < 2) return undefined
  const pinned = { server: cores[0]!, load: cores.at(-1)! }
  try {
    execFileSync('taskset', ['-a', '-c', '-p', String(pinned.load), String(process.pid)], { stdio: 'ignore' })
    return pinned
  } catch {
    return undefined
  }
}

/** Describes the machine. */
export function machineOf (pinned: Cores): Machine {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    pinned: pinned ?? null
  }
}

/** The processor time that a process of this machine has taken so far with all its threads, in microseconds. */
export function processorTimeOf (pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  // Nanoseconds come first. The file of the process itself tells of its first thread alone.
  const times = threads.map((id) => parseInt(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'latin1')))
  return times.reduce((sum, time) => sum + time, 0) / 1000
}

/** The memory that a process of this machine has in use now, in MiB. */
export function residentMemoryOf (pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) / 1024
}

/** The version of a package that a folder of the project has installed; undefined when it is not there. */
export function versionOf (name: string, folder = '.'): string | undefined {
  try {
    const path = createRequire(new URL(`${folder}/`, `file://${ROOT}`)).resolve.paths(name)![0]!
    return JSON.parse(readFileSync(`${path}/${name}/package.json`, 'utf8')).version
  } catch {
    return undefined
  }
}

function allowedCores (): number[] {
  const [, list = ''] = /Cpus_allowed_list:\s+(\S+)/.exec(readFileSync('/proc/self/status', 'latin1')) ?? []
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}
